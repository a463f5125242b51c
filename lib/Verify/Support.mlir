// The judge's own kernels: they draw inputs, widen them for the oracle, and
// measure a candidate's outputs. The judge makes plans of its own from them
// (SupportKernels.cpp); the host function only names each kernel's buffers, with
// sizes that no buffer reaches, so that addresses are computed in 64 bits.
//
// Every kernel loops over the elements in strides of its threads and takes its
// numbers from the buffer %p of 64-bit words. Buffers of several element types
// are one and the same buffer; a word says which type holds.
//
// Drawing is integer arithmetic and floating-point steps that are exact or
// correctly rounded, so that every device draws the same bits.
module attributes {gpu.container_module} {

func.func @support(
    %p: memref<16xi64>,
    %f32: memref<1099511627776xf32>, %f64: memref<1099511627776xf64>,
    %i8: memref<1099511627776xi8>, %i32: memref<1099511627776xi32>, %i64: memref<1099511627776xi64>,
    %f16: memref<1099511627776xf16>, %bf16: memref<1099511627776xbf16>, %i16: memref<1099511627776xi16>,
    %partials: memref<1099511627776xf64> {kernelskill.result}) {
  // One size for all devices: the kernels are compiled for it.
  %one = arith.constant 1 : index
  %blocks = arith.constant 264 : index
  %threads = arith.constant 256 : index
  gpu.launch_func @support_kernels::@ks_fill blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f32 : memref<1099511627776xf32>, %f64 : memref<1099511627776xf64>,
         %i8 : memref<1099511627776xi8>, %i32 : memref<1099511627776xi32>, %i64 : memref<1099511627776xi64>)
  gpu.launch_func @support_kernels::@ks_widen blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f32 : memref<1099511627776xf32>, %f64 : memref<1099511627776xf64>)
  gpu.launch_func @support_kernels::@ks_widen16 blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f16 : memref<1099511627776xf16>, %bf16 : memref<1099511627776xbf16>,
         %i16 : memref<1099511627776xi16>, %f64 : memref<1099511627776xf64>, %i32 : memref<1099511627776xi32>)
  gpu.launch_func @support_kernels::@ks_narrow16 blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f32 : memref<1099511627776xf32>, %i32 : memref<1099511627776xi32>,
         %f16 : memref<1099511627776xf16>, %bf16 : memref<1099511627776xbf16>, %i16 : memref<1099511627776xi16>)
  gpu.launch_func @support_kernels::@ks_scale blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f64 : memref<1099511627776xf64>, %f64 : memref<1099511627776xf64>)
  gpu.launch_func @support_kernels::@ks_compare blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %f32 : memref<1099511627776xf32>, %f64 : memref<1099511627776xf64>,
         %f32 : memref<1099511627776xf32>, %f64 : memref<1099511627776xf64>,
         %f64 : memref<1099511627776xf64>, %f64 : memref<1099511627776xf64>, %partials : memref<1099511627776xf64>)
  gpu.launch_func @support_kernels::@ks_compare_integer blocks in (%blocks, %one, %one) threads in (%threads, %one, %one)
    args(%p : memref<16xi64>, %i8 : memref<1099511627776xi8>, %i32 : memref<1099511627776xi32>, %i64 : memref<1099511627776xi64>,
         %i8 : memref<1099511627776xi8>, %i32 : memref<1099511627776xi32>, %i64 : memref<1099511627776xi64>,
         %i8 : memref<1099511627776xi8>, %i32 : memref<1099511627776xi32>, %i64 : memref<1099511627776xi64>,
         %i8 : memref<1099511627776xi8>, %i32 : memref<1099511627776xi32>, %i64 : memref<1099511627776xi64>,
         %i8 : memref<1099511627776xi8>, %partials : memref<1099511627776xf64>)
  return
}

gpu.module @support_kernels {

// Draws a buffer. %p: elements, seed, draw, type, scale, shift and greatest of
// heavy tails (bits of f64).
// Draws: 0 uniform in [0, 1), 1 normal, 2 heavy tails, 3 edge values, 4 normal
// with infinities and NaN, 5 zeros, 6 ones, 7 integers below scale, 8 ones with
// probability 1 / scale, else zeros.
// Types: 0 f32, 1 f64, 2 i8, 3 i32, 4 i64.
gpu.func @ks_fill(%p: memref<16xi64>, %f32: memref<1099511627776xf32>, %f64: memref<1099511627776xf64>,
                  %i8: memref<1099511627776xi8>, %i32: memref<1099511627776xi32>, %i64: memref<1099511627776xi64>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %seed = memref.load %p[%c1] : memref<16xi64>
  %draw64 = memref.load %p[%c2] : memref<16xi64>
  %type64 = memref.load %p[%c3] : memref<16xi64>
  %scaleBits = memref.load %p[%c4] : memref<16xi64>
  %shiftBits = memref.load %p[%c5] : memref<16xi64>
  %c6 = arith.constant 6 : index
  %greatestBits = memref.load %p[%c6] : memref<16xi64>
  %greatest = arith.bitcast %greatestBits : i64 to f64
  %n = arith.index_cast %n64 : i64 to index
  %draw = arith.index_cast %draw64 : i64 to index
  %type = arith.index_cast %type64 : i64 to index
  %scale = arith.bitcast %scaleBits : i64 to f64
  %shift = arith.bitcast %shiftBits : i64 to f64
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index

  // splitmix64 of the seed and the element's number, twice.
  %golden = arith.constant 0x9E3779B97F4A7C15 : i64
  %m1 = arith.constant 0xBF58476D1CE4E5B9 : i64
  %m2 = arith.constant 0x94D049BB133111EB : i64
  %s30 = arith.constant 30 : i64
  %s27 = arith.constant 27 : i64
  %s31 = arith.constant 31 : i64
  %s16 = arith.constant 16 : i64
  %s32 = arith.constant 32 : i64
  %s40 = arith.constant 40 : i64
  %s48 = arith.constant 48 : i64
  %mask16 = arith.constant 65535 : i64
  %mask3 = arith.constant 7 : i64
  %two24 = arith.constant 5.9604644775390625e-08 : f64
  %zero = arith.constant 0.0 : f64
  %half = arith.constant 0.5 : f64
  %onef = arith.constant 1.0 : f64
  // Eight 16-bit numbers: their mean sum, and one over its standard deviation.
  %mean = arith.constant 262140.0 : f64
  %deviation = arith.constant 1.8688127e-05 : f64
  %quarter = arith.constant 0.25 : f64
  %tail = arith.divf %onef, %greatest : f64
  %large = arith.mulf %greatest, %quarter : f64
  %tiny = arith.constant 9.5367431640625e-07 : f64
  %negzero = arith.constant -0.0 : f64
  %minusone = arith.constant -1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %minusinf = arith.constant 0xFFF0000000000000 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %rare = arith.constant 1048575 : i64
  %rareOne = arith.constant 1 : i64
  %subnormal = arith.constant 0x37D0000000000000 : f64 // 2^-130
  // Of 2^20 numbers 17 each, but three or so in small buffers too, as long as
  // they are not more than one in 64.
  %rareLeast = arith.constant 17 : i64
  %rareMost = arith.constant 16384 : i64
  %three = arith.constant 3145728 : i64
  %nOne = arith.maxui %n64, %rareOne : i64
  %rareFew = arith.divui %three, %nOne : i64
  %rareMore = arith.maxui %rareFew, %rareLeast : i64
  %rare1 = arith.minui %rareMore, %rareMost : i64
  %rare2 = arith.addi %rare1, %rare1 : i64
  %rare3 = arith.addi %rare2, %rare1 : i64

  %seeded = arith.muli %seed, %m1 : i64
  scf.for %i = %first to %n step %stride {
    %i0 = arith.index_cast %i : index to i64
    %i1 = arith.addi %i0, %seeded : i64
    %z0 = arith.muli %i1, %golden : i64
    %z1 = arith.shrui %z0, %s30 : i64
    %z2 = arith.xori %z0, %z1 : i64
    %z3 = arith.muli %z2, %m1 : i64
    %z4 = arith.shrui %z3, %s27 : i64
    %z5 = arith.xori %z3, %z4 : i64
    %z6 = arith.muli %z5, %m2 : i64
    %z7 = arith.shrui %z6, %s31 : i64
    %h = arith.xori %z6, %z7 : i64
    %y0 = arith.addi %h, %golden : i64
    %y1 = arith.shrui %y0, %s30 : i64
    %y2 = arith.xori %y0, %y1 : i64
    %y3 = arith.muli %y2, %m2 : i64
    %y4 = arith.shrui %y3, %s27 : i64
    %y5 = arith.xori %y3, %y4 : i64
    %y6 = arith.muli %y5, %m1 : i64
    %y7 = arith.shrui %y6, %s31 : i64
    %g = arith.xori %y6, %y7 : i64

    // 24 bits, so that the draw is exact in f32.
    %u0 = arith.shrui %h, %s40 : i64
    %u1 = arith.uitofp %u0 : i64 to f64
    %uniform = arith.mulf %u1, %two24 : f64
    %v0 = arith.shrui %g, %s40 : i64
    %v1 = arith.uitofp %v0 : i64 to f64
    %second = arith.mulf %v1, %two24 : f64

    // A sum of eight uniform numbers, near enough to normal.
    %a0 = arith.andi %h, %mask16 : i64
    %a1 = arith.shrui %h, %s16 : i64
    %a2 = arith.andi %a1, %mask16 : i64
    %a3 = arith.shrui %h, %s32 : i64
    %a4 = arith.andi %a3, %mask16 : i64
    %a5 = arith.shrui %h, %s48 : i64
    %b0 = arith.andi %g, %mask16 : i64
    %b1 = arith.shrui %g, %s16 : i64
    %b2 = arith.andi %b1, %mask16 : i64
    %b3 = arith.shrui %g, %s32 : i64
    %b4 = arith.andi %b3, %mask16 : i64
    %b5 = arith.shrui %g, %s48 : i64
    %t0 = arith.addi %a0, %a2 : i64
    %t1 = arith.addi %a4, %a5 : i64
    %t2 = arith.addi %b0, %b2 : i64
    %t3 = arith.addi %b4, %b5 : i64
    %t4 = arith.addi %t0, %t1 : i64
    %t5 = arith.addi %t2, %t3 : i64
    %t6 = arith.addi %t4, %t5 : i64
    %t7 = arith.sitofp %t6 : i64 to f64
    %t8 = arith.subf %t7, %mean : f64
    %normal = arith.mulf %t8, %deviation : f64

    %value = scf.index_switch %draw -> f64
    case 0 {
      scf.yield %uniform : f64
    }
    case 1 {
      scf.yield %normal : f64
    }
    case 2 {
      // Normal times a number of a distribution without a mean, cut at the
      // greatest.
      %w0 = arith.addf %second, %tail : f64
      %w1 = arith.divf %normal, %w0 : f64
      scf.yield %w1 : f64
    }
    case 3 {
      %k0 = arith.andi %g, %mask3 : i64
      %k = arith.index_cast %k0 : i64 to index
      %edge = scf.index_switch %k -> f64
      case 0 {
        scf.yield %zero : f64
      }
      case 1 {
        scf.yield %onef : f64
      }
      case 2 {
        scf.yield %negzero : f64
      }
      case 3 {
        scf.yield %minusone : f64
      }
      case 4 {
        // Every second one so small that f32 holds it as a subnormal number.
        %sub = arith.cmpf olt, %second, %half : f64
        %unit = arith.select %sub, %subnormal, %tiny : f64
        %e = arith.mulf %normal, %unit : f64
        scf.yield %e : f64
      }
      case 5 {
        %e = arith.mulf %normal, %large : f64
        scf.yield %e : f64
      }
      case 6 {
        scf.yield %half : f64
      }
      default {
        scf.yield %normal : f64
      }
      scf.yield %edge : f64
    }
    case 4 {
      %k = arith.andi %g, %rare : i64
      %is1 = arith.cmpi ult, %k, %rare1 : i64
      %is2 = arith.cmpi ult, %k, %rare2 : i64
      %is3 = arith.cmpi ult, %k, %rare3 : i64
      %x3 = arith.select %is3, %nan, %normal : f64
      %x2 = arith.select %is2, %minusinf, %x3 : f64
      %x1 = arith.select %is1, %inf, %x2 : f64
      scf.yield %x1 : f64
    }
    case 5 {
      scf.yield %zero : f64
    }
    case 6 {
      scf.yield %onef : f64
    }
    case 8 {
      %x0 = arith.mulf %uniform, %scale : f64
      %kept = arith.cmpf olt, %x0, %onef : f64
      %x1 = arith.select %kept, %onef, %zero : f64
      scf.yield %x1 : f64
    }
    default {
      %x0 = arith.mulf %uniform, %scale : f64
      %x1 = math.floor %x0 : f64
      scf.yield %x1 : f64
    }
    %c7 = arith.constant 7 : index
    %isInteger = arith.cmpi eq, %draw, %c7 : index
    %factor = arith.select %isInteger, %onef, %scale : f64
    %drawn = math.fma %value, %factor, %shift : f64
    scf.index_switch %type
    case 0 {
      %x = arith.truncf %drawn : f64 to f32
      memref.store %x, %f32[%i] : memref<1099511627776xf32>
      scf.yield
    }
    case 1 {
      memref.store %drawn, %f64[%i] : memref<1099511627776xf64>
      scf.yield
    }
    case 2 {
      %x0 = arith.fptosi %drawn : f64 to i64
      %x = arith.trunci %x0 : i64 to i8
      memref.store %x, %i8[%i] : memref<1099511627776xi8>
      scf.yield
    }
    case 3 {
      %x0 = arith.fptosi %drawn : f64 to i64
      %x = arith.trunci %x0 : i64 to i32
      memref.store %x, %i32[%i] : memref<1099511627776xi32>
      scf.yield
    }
    default {
      %x = arith.fptosi %drawn : f64 to i64
      memref.store %x, %i64[%i] : memref<1099511627776xi64>
    }
  }
  gpu.return
}

// The oracle's inputs: the same values in f64. %p: elements.
gpu.func @ks_widen(%p: memref<16xi64>, %from: memref<1099511627776xf32>, %to: memref<1099511627776xf64>) kernel {
  %c0 = arith.constant 0 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  scf.for %i = %first to %n step %stride {
    %x = memref.load %from[%i] : memref<1099511627776xf32>
    %y = arith.extf %x : f32 to f64
    memref.store %y, %to[%i] : memref<1099511627776xf64>
  }
  gpu.return
}

// Elements of 16 bits as wider ones: f16 and bf16 in f64, where the poison stays
// one, i16 in i32. %p: elements, type (0 f16, 1 bf16, 2 i16).
gpu.func @ks_widen16(%p: memref<16xi64>, %f16: memref<1099511627776xf16>, %bf16: memref<1099511627776xbf16>,
                     %i16: memref<1099511627776xi16>, %f64: memref<1099511627776xf64>, %i32: memref<1099511627776xi32>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %type64 = memref.load %p[%c1] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %type = arith.index_cast %type64 : i64 to index
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  %poison16 = arith.constant -1 : i16
  %poison64 = arith.constant -1 : i64
  %poison = arith.bitcast %poison64 : i64 to f64
  scf.for %i = %first to %n step %stride {
    %bits = memref.load %i16[%i] : memref<1099511627776xi16>
    %is = arith.cmpi eq, %bits, %poison16 : i16
    scf.index_switch %type
    case 0 {
      %x = memref.load %f16[%i] : memref<1099511627776xf16>
      %y = arith.extf %x : f16 to f64
      %z = arith.select %is, %poison, %y : f64
      memref.store %z, %f64[%i] : memref<1099511627776xf64>
      scf.yield
    }
    case 1 {
      %x = memref.load %bf16[%i] : memref<1099511627776xbf16>
      %y = arith.extf %x : bf16 to f32
      %w = arith.extf %y : f32 to f64
      %z = arith.select %is, %poison, %w : f64
      memref.store %z, %f64[%i] : memref<1099511627776xf64>
      scf.yield
    }
    default {
      %y = arith.extsi %bits : i16 to i32
      memref.store %y, %i32[%i] : memref<1099511627776xi32>
    }
  }
  gpu.return
}

// What was drawn as f32 or i32 in 16 bits. %p: elements, type (0 f16, 1 bf16,
// 2 i16).
gpu.func @ks_narrow16(%p: memref<16xi64>, %f32: memref<1099511627776xf32>, %i32: memref<1099511627776xi32>,
                      %f16: memref<1099511627776xf16>, %bf16: memref<1099511627776xbf16>, %i16: memref<1099511627776xi16>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %type64 = memref.load %p[%c1] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %type = arith.index_cast %type64 : i64 to index
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  scf.for %i = %first to %n step %stride {
    scf.index_switch %type
    case 0 {
      %x = memref.load %f32[%i] : memref<1099511627776xf32>
      %y = arith.truncf %x : f32 to f16
      memref.store %y, %f16[%i] : memref<1099511627776xf16>
      scf.yield
    }
    case 1 {
      %x = memref.load %f32[%i] : memref<1099511627776xf32>
      %y = arith.truncf %x : f32 to bf16
      memref.store %y, %bf16[%i] : memref<1099511627776xbf16>
      scf.yield
    }
    default {
      %x = memref.load %i32[%i] : memref<1099511627776xi32>
      %y = arith.trunci %x : i32 to i16
      memref.store %y, %i16[%i] : memref<1099511627776xi16>
    }
  }
  gpu.return
}

// Error scales of an oracle without its own: |o| + rms(o). %p: elements, rms.
gpu.func @ks_scale(%p: memref<16xi64>, %oracle: memref<1099511627776xf64>, %scale: memref<1099511627776xf64>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %rmsBits = memref.load %p[%c1] : memref<16xi64>
  %rms = arith.bitcast %rmsBits : i64 to f64
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  scf.for %i = %first to %n step %stride {
    %o = memref.load %oracle[%i] : memref<1099511627776xf64>
    %a = math.absf %o : f64
    %e = arith.addf %a, %rms : f64
    memref.store %e, %scale[%i] : memref<1099511627776xf64>
  }
  gpu.return
}

// Measures y, the output of a candidate, against the oracle o with the scale e and
// the yardstick's output q. %p: elements, type (0 f32, 1 f64), roundoff, least
// allowed error, bound of |y - o| / (e * roundoff + least). Partial results of
// each thread, 20 words:
//   0 sum (y-o)^2   1 sum o^2   2 sum o   3 greatest ratio   4 its index
//   5 mismatches of NaN and infinities    6 index of the first mismatch
//   7 elements in the sums   8 zeros in y   9 elements of y left as poisoned
//   10 least y   11 greatest y   12 elements out of bounds
//   13, 14 index of the first and the last of them   15 elements equal to o == 0
//   16 sum e^2   17 sum of squared ratios, each at most 16   18 sum e^4
//   19 elements with e > 0
gpu.func @ks_compare(%p: memref<16xi64>, %y32: memref<1099511627776xf32>, %y64: memref<1099511627776xf64>,
                     %q32: memref<1099511627776xf32>, %q64: memref<1099511627776xf64>,
                     %oracle: memref<1099511627776xf64>, %scale: memref<1099511627776xf64>,
                     %partials: memref<1099511627776xf64>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %type64 = memref.load %p[%c1] : memref<16xi64>
  %roundoffBits = memref.load %p[%c2] : memref<16xi64>
  %leastBits = memref.load %p[%c3] : memref<16xi64>
  %boundBits = memref.load %p[%c4] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %roundoff = arith.bitcast %roundoffBits : i64 to f64
  %least = arith.bitcast %leastBits : i64 to f64
  %bound = arith.bitcast %boundBits : i64 to f64
  %i64zero = arith.constant 0 : i64
  %isF32 = arith.cmpi eq, %type64, %i64zero : i64
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %none = arith.constant -1.0 : f64
  %inf = arith.constant 0x7FF0000000000000 : f64
  %minusinf = arith.constant 0xFFF0000000000000 : f64
  %true = arith.constant true
  %poison32 = arith.constant -1 : i32
  %poison64 = arith.constant -1 : i64
  %sixteen = arith.constant 16.0 : f64

  %r:20 = scf.for %i = %first to %n step %stride
      iter_args(%s0 = %zero, %s1 = %zero, %s2 = %zero, %s3 = %none, %s4 = %none, %s5 = %zero, %s6 = %none, %s7 = %zero,
                %s8 = %zero, %s9 = %zero, %s10 = %inf, %s11 = %minusinf, %s12 = %zero, %s13 = %none, %s14 = %none, %s15 = %zero, %s16 = %zero, %s17 = %zero, %s18 = %zero, %s19 = %zero)
      -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
    %y, %q, %poisoned = scf.if %isF32 -> (f64, f64, i1) {
      %a = memref.load %y32[%i] : memref<1099511627776xf32>
      %b = memref.load %q32[%i] : memref<1099511627776xf32>
      %bits = arith.bitcast %a : f32 to i32
      %is = arith.cmpi eq, %bits, %poison32 : i32
      %aw = arith.extf %a : f32 to f64
      %bw = arith.extf %b : f32 to f64
      scf.yield %aw, %bw, %is : f64, f64, i1
    } else {
      %a = memref.load %y64[%i] : memref<1099511627776xf64>
      %b = memref.load %q64[%i] : memref<1099511627776xf64>
      %bits = arith.bitcast %a : f64 to i64
      %is = arith.cmpi eq, %bits, %poison64 : i64
      scf.yield %a, %b, %is : f64, f64, i1
    }
    %o = memref.load %oracle[%i] : memref<1099511627776xf64>
    %e = memref.load %scale[%i] : memref<1099511627776xf64>
    %i0 = arith.index_cast %i : index to i64
    %at = arith.sitofp %i0 : i64 to f64

    %ya = math.absf %y : f64
    %qa = math.absf %q : f64
    %oa = math.absf %o : f64
    %yFinite = arith.cmpf olt, %ya, %inf : f64
    %qFinite = arith.cmpf olt, %qa, %inf : f64
    %oFinite = arith.cmpf olt, %oa, %inf : f64
    %eFinite = arith.cmpf olt, %e, %inf : f64
    %regular = arith.andi %oFinite, %qFinite : i1
    %counted = arith.andi %regular, %yFinite : i1

    %d = arith.subf %y, %o : f64
    %da = math.absf %d : f64
    %allowed0 = arith.mulf %e, %roundoff : f64
    %allowed = arith.addf %allowed0, %least : f64
    %ratio0 = arith.divf %da, %allowed : f64
    %ratioCounts = arith.andi %counted, %eFinite : i1
    %ratio = arith.select %ratioCounts, %ratio0, %none : f64
    %outside = arith.cmpf ogt, %ratio, %bound : f64

    // NaN and infinities: as the oracle's or the yardstick's; a finite value
    // where one of the two is finite, if it is as good as elsewhere.
    %yNan = arith.cmpf uno, %y, %y : f64
    %qNan = arith.cmpf uno, %q, %q : f64
    %oNan = arith.cmpf uno, %o, %o : f64
    %sameAsO0 = arith.cmpf oeq, %y, %o : f64
    %bothNan0 = arith.andi %yNan, %oNan : i1
    %sameAsQ0 = arith.cmpf oeq, %y, %q : f64
    %bothNan1 = arith.andi %yNan, %qNan : i1
    %like0 = arith.ori %sameAsO0, %bothNan0 : i1
    %like1 = arith.ori %sameAsQ0, %bothNan1 : i1
    %like2 = arith.ori %like0, %like1 : i1
    %near0 = arith.cmpf ole, %ratio0, %bound : f64
    %near1 = arith.andi %near0, %yFinite : i1
    %near = arith.andi %near1, %oFinite : i1
    %plainOnly0 = arith.andi %qFinite, %yFinite : i1
    %notO = arith.xori %oFinite, %true : i1
    %plainOnly = arith.andi %plainOnly0, %notO : i1
    %ok0 = arith.ori %like2, %near : i1
    %ok1 = arith.ori %ok0, %plainOnly : i1
    %okIrregular = arith.ori %ok1, %regular : i1
    %notFinite = arith.xori %yFinite, %true : i1
    %badRegular = arith.andi %regular, %notFinite : i1
    %badIrregular = arith.xori %okIrregular, %true : i1
    %mismatch = arith.ori %badRegular, %badIrregular : i1
    %bad = arith.ori %mismatch, %outside : i1

    %dd0 = arith.mulf %d, %d : f64
    %dd = arith.select %counted, %dd0, %zero : f64
    %n0 = arith.addf %s0, %dd : f64
    %oo0 = arith.mulf %o, %o : f64
    %oo = arith.select %counted, %oo0, %zero : f64
    %n1 = arith.addf %s1, %oo : f64
    %oc = arith.select %counted, %o, %zero : f64
    %n2 = arith.addf %s2, %oc : f64
    %greater = arith.cmpf ogt, %ratio, %s3 : f64
    %n3 = arith.select %greater, %ratio, %s3 : f64
    %n4 = arith.select %greater, %at, %s4 : f64
    %m1 = arith.select %mismatch, %one, %zero : f64
    %n5 = arith.addf %s5, %m1 : f64
    %noMismatchYet = arith.cmpf olt, %s6, %zero : f64
    %isFirst = arith.andi %mismatch, %noMismatchYet : i1
    %n6 = arith.select %isFirst, %at, %s6 : f64
    %k1 = arith.select %counted, %one, %zero : f64
    %n7 = arith.addf %s7, %k1 : f64
    %isZero = arith.cmpf oeq, %y, %zero : f64
    %z1 = arith.select %isZero, %one, %zero : f64
    %n8 = arith.addf %s8, %z1 : f64
    %p1 = arith.select %poisoned, %one, %zero : f64
    %n9 = arith.addf %s9, %p1 : f64
    %n10 = arith.minnumf %s10, %y : f64
    %n11 = arith.maxnumf %s11, %y : f64
    %b1 = arith.select %bad, %one, %zero : f64
    %n12 = arith.addf %s12, %b1 : f64
    %noneYet = arith.cmpf olt, %s13, %zero : f64
    %firstBad = arith.andi %bad, %noneYet : i1
    %n13 = arith.select %firstBad, %at, %s13 : f64
    %n14 = arith.select %bad, %at, %s14 : f64
    %oIsZero = arith.cmpf oeq, %o, %zero : f64
    %bothZero = arith.andi %isZero, %oIsZero : i1
    %o1 = arith.select %bothZero, %one, %zero : f64
    %n15 = arith.addf %s15, %o1 : f64
    %ee0 = arith.mulf %e, %e : f64
    %ee = arith.select %ratioCounts, %ee0, %zero : f64
    %n16 = arith.addf %s16, %ee : f64
    %capped = arith.minimumf %ratio0, %sixteen : f64
    %cc0 = arith.mulf %capped, %capped : f64
    %cc = arith.select %ratioCounts, %cc0, %zero : f64
    %n17 = arith.addf %s17, %cc : f64
    %e4 = arith.mulf %ee, %ee : f64
    %n18 = arith.addf %s18, %e4 : f64
    %ePositive = arith.cmpf ogt, %ee, %zero : f64
    %x1 = arith.select %ePositive, %one, %zero : f64
    %n19 = arith.addf %s19, %x1 : f64
    scf.yield %n0, %n1, %n2, %n3, %n4, %n5, %n6, %n7, %n8, %n9, %n10, %n11, %n12, %n13, %n14, %n15, %n16, %n17, %n18, %n19
      : f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64
  }
  %c20 = arith.constant 20 : index
  %out = arith.muli %first, %c20 : index
  memref.store %r#0, %partials[%out] : memref<1099511627776xf64>
  %o1 = arith.addi %out, %c1 : index
  memref.store %r#1, %partials[%o1] : memref<1099511627776xf64>
  %o2 = arith.addi %o1, %c1 : index
  memref.store %r#2, %partials[%o2] : memref<1099511627776xf64>
  %o3 = arith.addi %o2, %c1 : index
  memref.store %r#3, %partials[%o3] : memref<1099511627776xf64>
  %o4 = arith.addi %o3, %c1 : index
  memref.store %r#4, %partials[%o4] : memref<1099511627776xf64>
  %o5 = arith.addi %o4, %c1 : index
  memref.store %r#5, %partials[%o5] : memref<1099511627776xf64>
  %o6 = arith.addi %o5, %c1 : index
  memref.store %r#6, %partials[%o6] : memref<1099511627776xf64>
  %o7 = arith.addi %o6, %c1 : index
  memref.store %r#7, %partials[%o7] : memref<1099511627776xf64>
  %o8 = arith.addi %o7, %c1 : index
  memref.store %r#8, %partials[%o8] : memref<1099511627776xf64>
  %o9 = arith.addi %o8, %c1 : index
  memref.store %r#9, %partials[%o9] : memref<1099511627776xf64>
  %o10 = arith.addi %o9, %c1 : index
  memref.store %r#10, %partials[%o10] : memref<1099511627776xf64>
  %o11 = arith.addi %o10, %c1 : index
  memref.store %r#11, %partials[%o11] : memref<1099511627776xf64>
  %o12 = arith.addi %o11, %c1 : index
  memref.store %r#12, %partials[%o12] : memref<1099511627776xf64>
  %o13 = arith.addi %o12, %c1 : index
  memref.store %r#13, %partials[%o13] : memref<1099511627776xf64>
  %o14 = arith.addi %o13, %c1 : index
  memref.store %r#14, %partials[%o14] : memref<1099511627776xf64>
  %o15 = arith.addi %o14, %c1 : index
  memref.store %r#15, %partials[%o15] : memref<1099511627776xf64>
  %o16 = arith.addi %o15, %c1 : index
  memref.store %r#16, %partials[%o16] : memref<1099511627776xf64>
  %o17 = arith.addi %o16, %c1 : index
  memref.store %r#17, %partials[%o17] : memref<1099511627776xf64>
  %o18 = arith.addi %o17, %c1 : index
  memref.store %r#18, %partials[%o18] : memref<1099511627776xf64>
  %o19 = arith.addi %o18, %c1 : index
  memref.store %r#19, %partials[%o19] : memref<1099511627776xf64>
  gpu.return
}

// Integers: y may equal o, q or a; or, where there are choices, be one of those
// that %may has a byte for, so many for each element. Also compares bytes (all
// one buffer). %p: elements, type (2 i8, 3 i32, 4 i64), choices or zero.
// Partial results of each thread:
//   0 elements that differ   1, 2 index of the first and of the last
gpu.func @ks_compare_integer(
    %p: memref<16xi64>, %y8: memref<1099511627776xi8>, %y32: memref<1099511627776xi32>, %y64: memref<1099511627776xi64>,
    %o8: memref<1099511627776xi8>, %o32: memref<1099511627776xi32>, %o64: memref<1099511627776xi64>,
    %q8: memref<1099511627776xi8>, %q32: memref<1099511627776xi32>, %q64: memref<1099511627776xi64>,
    %a8: memref<1099511627776xi8>, %a32: memref<1099511627776xi32>, %a64: memref<1099511627776xi64>,
    %may: memref<1099511627776xi8>, %partials: memref<1099511627776xf64>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n64 = memref.load %p[%c0] : memref<16xi64>
  %type64 = memref.load %p[%c1] : memref<16xi64>
  %n = arith.index_cast %n64 : i64 to index
  %type = arith.index_cast %type64 : i64 to index
  %c2 = arith.constant 2 : index
  %choices64 = memref.load %p[%c2] : memref<16xi64>
  %choices = arith.index_cast %choices64 : i64 to index
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %bd = gpu.block_dim x
  %gd = gpu.grid_dim x
  %base = arith.muli %bx, %bd : index
  %first = arith.addi %base, %tx : index
  %stride = arith.muli %gd, %bd : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %none = arith.constant -1.0 : f64
  %r:3 = scf.for %i = %first to %n step %stride iter_args(%s0 = %zero, %s1 = %none, %s2 = %none) -> (f64, f64, f64) {
    %y, %o, %q, %also = scf.index_switch %type -> i64, i64, i64, i64
    case 2 {
      %a = memref.load %y8[%i] : memref<1099511627776xi8>
      %b = memref.load %o8[%i] : memref<1099511627776xi8>
      %c = memref.load %q8[%i] : memref<1099511627776xi8>
      %a1 = arith.extsi %a : i8 to i64
      %b1 = arith.extsi %b : i8 to i64
      %d1 = arith.extsi %c : i8 to i64
      %e = memref.load %a8[%i] : memref<1099511627776xi8>
      %e1 = arith.extsi %e : i8 to i64
      scf.yield %a1, %b1, %d1, %e1 : i64, i64, i64, i64
    }
    case 3 {
      %a = memref.load %y32[%i] : memref<1099511627776xi32>
      %b = memref.load %o32[%i] : memref<1099511627776xi32>
      %c = memref.load %q32[%i] : memref<1099511627776xi32>
      %a1 = arith.extsi %a : i32 to i64
      %b1 = arith.extsi %b : i32 to i64
      %d1 = arith.extsi %c : i32 to i64
      %e = memref.load %a32[%i] : memref<1099511627776xi32>
      %e1 = arith.extsi %e : i32 to i64
      scf.yield %a1, %b1, %d1, %e1 : i64, i64, i64, i64
    }
    default {
      %a = memref.load %y64[%i] : memref<1099511627776xi64>
      %b = memref.load %o64[%i] : memref<1099511627776xi64>
      %c = memref.load %q64[%i] : memref<1099511627776xi64>
      %e = memref.load %a64[%i] : memref<1099511627776xi64>
      scf.yield %a, %b, %c, %e : i64, i64, i64, i64
    }
    %notO = arith.cmpi ne, %y, %o : i64
    %notQ = arith.cmpi ne, %y, %q : i64
    %neither = arith.andi %notO, %notQ : i1
    %notAlso = arith.cmpi ne, %y, %also : i64
    // As unsigned numbers, negative ones are no choice either.
    %isChoice = arith.cmpi ult, %y, %choices64 : i64
    %notAdmitted = scf.if %isChoice -> (i1) {
      %row = arith.muli %i, %choices : index
      %column = arith.index_cast %y : i64 to index
      %place = arith.addi %row, %column : index
      %admitted = memref.load %may[%place] : memref<1099511627776xi8>
      %c0_i8 = arith.constant 0 : i8
      %isNot = arith.cmpi eq, %admitted, %c0_i8 : i8
      scf.yield %isNot : i1
    } else {
      scf.yield %notAlso : i1
    }
    %bad = arith.andi %neither, %notAdmitted : i1
    %i0 = arith.index_cast %i : index to i64
    %at = arith.sitofp %i0 : i64 to f64
    %b1 = arith.select %bad, %one, %zero : f64
    %n0 = arith.addf %s0, %b1 : f64
    %noneYet = arith.cmpf olt, %s1, %zero : f64
    %isFirst = arith.andi %bad, %noneYet : i1
    %n1 = arith.select %isFirst, %at, %s1 : f64
    %n2 = arith.select %bad, %at, %s2 : f64
    scf.yield %n0, %n1, %n2 : f64, f64, f64
  }
  %c20 = arith.constant 20 : index
  %out = arith.muli %first, %c20 : index
  memref.store %r#0, %partials[%out] : memref<1099511627776xf64>
  %o1 = arith.addi %out, %c1 : index
  memref.store %r#1, %partials[%o1] : memref<1099511627776xf64>
  %o2 = arith.addi %o1, %c1 : index
  memref.store %r#2, %partials[%o2] : memref<1099511627776xf64>
  gpu.return
}
}
}
