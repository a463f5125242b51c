// Right programs of the kinds that the judge once took for wrong.
// RUN: split-file %s %t
// RUN: kernelskill verify %t/dominated.mlir --device cpu --chip sm_90a | FileCheck %s
// RUN: kernelskill verify %t/few.mlir --device cpu --chip sm_90a --numerics strict | FileCheck %s
// RUN: kernelskill verify %t/one.mlir --device cpu --chip sm_90a | FileCheck %s
// RUN: kernelskill verify %t/saturated.mlir --device cpu --chip sm_90a | FileCheck %s
// RUN: kernelskill verify %t/overflow.mlir --device cpu --chip sm_90a | FileCheck %s
// RUN: kernelskill verify %t/largest.mlir --device cpu --chip sm_90a --numerics strict | FileCheck %s
// RUN: kernelskill verify %t/anywhere.mlir --device cpu --chip sm_90a --numerics bf16 | FileCheck %s
// RUN: kernelskill verify %t/cancelled.mlir --device cpu --chip sm_90a --numerics strict | FileCheck %s
// RUN: kernelskill verify %t/exact.mlir --device cpu --chip sm_90a --numerics bf16x3 | FileCheck %s
// RUN: kernelskill verify %t/near.mlir --device cpu --chip sm_90a | FileCheck %s
// RUN: kernelskill verify %t/alike.mlir --device cpu --chip sm_90a --numerics fp16 | FileCheck %s
// CHECK: {{^right}}

//--- dominated.mlir
// A few large products make the norm of the error.
func.func @forward(%x: tensor<2x4x18x11xf32>, %w: tensor<4x4x3x3xf32>, %c: tensor<4xf32>) -> tensor<2x4x14x7xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x14x7xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x14x7xf32>) -> tensor<2x4x14x7xf32>
  %p = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<2x4x18x11xf32>, tensor<4x4x3x3xf32>) outs(%i : tensor<2x4x14x7xf32>) -> tensor<2x4x14x7xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p, %c : tensor<2x4x14x7xf32>, tensor<4xf32>) outs(%e : tensor<2x4x14x7xf32>) {
  ^bb0(%a: f32, %b: f32, %u: f32):
    %v0 = math.tanh %a : f32
    %v1 = math.exp %v0 : f32
    %v2 = arith.maximumf %v1, %b : f32
    %v3 = arith.mulf %v2, %v2 : f32
    %v4 = arith.addf %v3, %one : f32
    %v5 = math.rsqrt %v4 : f32
    linalg.yield %v5 : f32
  } -> tensor<2x4x14x7xf32>
  return %out : tensor<2x4x14x7xf32>
}

//--- few.mlir
// Most elements are exact; one of the others makes the norm.
func.func @forward(%x: tensor<32x279xf32>, %w: tensor<279x1xf32>, %c: tensor<1xf32>) -> tensor<32x1xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<32x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x1xf32>) -> tensor<32x1xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<32x279xf32>, tensor<279x1xf32>) outs(%i : tensor<32x1xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<32x1xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<32x1xf32>, tensor<1xf32>) outs(%e : tensor<32x1xf32>) {
  ^bb0(%a: f32, %b: f32, %u: f32):
    %v0 = arith.minimumf %a, %one : f32
    linalg.yield %v0 : f32
  } -> tensor<32x1xf32>
  return %out : tensor<32x1xf32>
}

//--- one.mlir
// One short sum of bf16 numbers of both signs.
func.func @forward(%x: tensor<257xbf16>) -> tensor<bf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %least = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<bf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<bf16>) -> tensor<bf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<257xbf16>) outs(%i : tensor<bf16>) {
  ^bb0(%a: bf16, %acc: bf16):
    %r = arith.addf %a, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<bf16>
  return %out : tensor<bf16>
}

//--- saturated.mlir
// Sums of bf16 numbers that cancel, before functions that saturate.
func.func @forward(%x: tensor<9x257xbf16>, %w: tensor<257x128xbf16>, %c: tensor<128xbf16>) -> tensor<9x128xbf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %least = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<9x128xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<9x128xbf16>) -> tensor<9x128xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<9x257xbf16>, tensor<257x128xbf16>) outs(%i : tensor<9x128xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %m = arith.mulf %a, %b : bf16
    %r = arith.addf %m, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<9x128xbf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<9x128xbf16>, tensor<128xbf16>) outs(%e : tensor<9x128xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %u: bf16):
    %v0 = arith.mulf %a, %one : bf16
    %v1 = math.tanh %v0 : bf16
    %v2 = math.tanh %v1 : bf16
    %v3 = math.tanh %v2 : bf16
    %v4 = math.exp %v3 : bf16
    %v5 = arith.maximumf %v4, %one : bf16
    linalg.yield %v5 : bf16
  } -> tensor<9x128xbf16>
  return %out : tensor<9x128xbf16>
}

//--- overflow.mlir
// Products of large f16 numbers.
func.func @forward(%x: tensor<256x129xf16>, %w: tensor<31x256xf16>, %c: tensor<31xf16>) -> tensor<129x31xf16> {
  %zero = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f16
  %least = arith.constant 0xFC00 : f16
  %e = tensor.empty() : tensor<129x31xf16>
  %i = linalg.fill ins(%zero : f16) outs(%e : tensor<129x31xf16>) -> tensor<129x31xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<256x129xf16>, tensor<31x256xf16>) outs(%i : tensor<129x31xf16>) {
  ^bb0(%a: f16, %b: f16, %acc: f16):
    %m = arith.mulf %a, %b : f16
    %r = arith.addf %m, %acc : f16
    linalg.yield %r : f16
  } -> tensor<129x31xf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<129x31xf16>, tensor<31xf16>) outs(%e : tensor<129x31xf16>) {
  ^bb0(%a: f16, %b: f16, %u: f16):
    %v0 = math.absf %a : f16
    %v1 = arith.minimumf %v0, %b : f16
    %v2 = arith.maximumf %v1, %one : f16
    %v3 = arith.mulf %v2, %v2 : f16
    %v4 = arith.addf %v3, %one : f16
    %v5 = math.rsqrt %v4 : f16
    linalg.yield %v5 : f16
  } -> tensor<129x31xf16>
  return %out : tensor<129x31xf16>
}

//--- largest.mlir
// One sum, in which one number far exceeds the others.
func.func @forward(%x: tensor<129xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %out = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<129xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %v0 = arith.addf %a, %a : f32
    %v1 = arith.subf %v0, %one : f32
    %v2 = math.tanh %v1 : f32
    %v3 = arith.addf %v2, %a : f32
    %v4 = arith.addf %v3, %one : f32
    %r = arith.addf %v4, %acc : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %out : tensor<f32>
}

//--- anywhere.mlir
// What is compared may be anywhere: its scale is not a number.
func.func @forward(%x: tensor<3x7x31x29xbf16>, %w: tensor<24x7x3x3xbf16>, %c: tensor<24xbf16>) -> tensor<3x24x14x13xbf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %least = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<3x24x14x13xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<3x24x14x13xbf16>) -> tensor<3x24x14x13xbf16>
  %p = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<3x7x31x29xbf16>, tensor<24x7x3x3xbf16>) outs(%i : tensor<3x24x14x13xbf16>) -> tensor<3x24x14x13xbf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p, %c : tensor<3x24x14x13xbf16>, tensor<24xbf16>) outs(%e : tensor<3x24x14x13xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %u: bf16):
    %v0 = math.absf %a : bf16
    %v1 = arith.addf %v0, %b : bf16
    %v2 = arith.mulf %v1, %v1 : bf16
    %v3 = arith.addf %v2, %one : bf16
    %v4 = math.rsqrt %v3 : bf16
    %v5 = arith.mulf %v4, %v4 : bf16
    %v6 = arith.addf %v5, %one : bf16
    %v7 = math.rsqrt %v6 : bf16
    %v8 = arith.minimumf %v7, %b : bf16
    linalg.yield %v8 : bf16
  } -> tensor<3x24x14x13xbf16>
  return %out : tensor<3x24x14x13xbf16>
}

//--- cancelled.mlir
// A sum of bf16 numbers that has cancelled, where a function that saturates further
// out is steepest.
func.func @forward(%x: tensor<28x225xbf16>, %w: tensor<225x28xbf16>, %c: tensor<28xbf16>) -> tensor<28x28xbf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %e = tensor.empty() : tensor<28x28xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<28x28xbf16>) -> tensor<28x28xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<28x225xbf16>, tensor<225x28xbf16>) outs(%i : tensor<28x28xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %m = arith.mulf %a, %b : bf16
    %r = arith.addf %m, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<28x28xbf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<28x28xbf16>, tensor<28xbf16>) outs(%e : tensor<28x28xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %u: bf16):
    %v0 = arith.subf %a, %one : bf16
    %v1 = math.tanh %v0 : bf16
    linalg.yield %v1 : bf16
  } -> tensor<28x28xbf16>
  return %out : tensor<28x28xbf16>
}

//--- exact.mlir
// Most of many elements are exact, as they saturate; five make the norm.
func.func @forward(%x: tensor<127x257xbf16>, %w: tensor<257x8xbf16>, %c: tensor<8xbf16>) -> tensor<127x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %e = tensor.empty() : tensor<127x8xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<127x8xbf16>) -> tensor<127x8xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<127x257xbf16>, tensor<257x8xbf16>) outs(%i : tensor<127x8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %m = arith.mulf %a, %b : bf16
    %r = arith.addf %m, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<127x8xbf16>
  %out = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %c : tensor<127x8xbf16>, tensor<8xbf16>) outs(%e : tensor<127x8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %u: bf16):
    %v0 = arith.mulf %a, %b : bf16
    %v1 = math.tanh %v0 : bf16
    %v2 = math.absf %v1 : bf16
    %v3 = arith.subf %v2, %one : bf16
    %v4 = math.absf %v3 : bf16
    linalg.yield %v4 : bf16
  } -> tensor<127x8xbf16>
  return %out : tensor<127x8xbf16>
}

//--- near.mlir
// Greatest values that are near each other come before one that is no number.
func.func @forward(%x: tensor<63x3xbf16>, %w: tensor<3x63xbf16>) -> tensor<63xi64> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %least = arith.constant 0xFF80 : bf16
  %pe = tensor.empty() : tensor<63x63xbf16>
  %pi = linalg.fill ins(%zero : bf16) outs(%pe : tensor<63x63xbf16>) -> tensor<63x63xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<63x3xbf16>, tensor<3x63xbf16>) outs(%pi : tensor<63x63xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %m = arith.mulf %a, %b : bf16
    %r = arith.addf %m, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<63x63xbf16>
  %none = arith.constant 0 : i64
  %s = tensor.empty() : tensor<63xbf16>
  %i = tensor.empty() : tensor<63xi64>
  %m0 = linalg.fill ins(%least : bf16) outs(%s : tensor<63xbf16>) -> tensor<63xbf16>
  %i0 = linalg.fill ins(%none : i64) outs(%i : tensor<63xi64>) -> tensor<63xi64>
  %g:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<63x63xbf16>) outs(%m0, %i0 : tensor<63xbf16>, tensor<63xi64>) {
  ^bb0(%a: bf16, %b: bf16, %k: i64):
    %j = linalg.index 1 : index
    %j64 = arith.index_cast %j : index to i64
    %c = arith.cmpf ogt, %a, %b : bf16
    %u = arith.maximumf %a, %b : bf16
    %v = arith.select %c, %j64, %k : i64
    linalg.yield %u, %v : bf16, i64
  } -> (tensor<63xbf16>, tensor<63xi64>)
  return %g#1 : tensor<63xi64>
}

//--- alike.mlir
// Three or more values that one rounding makes equal.
func.func @forward(%x: tensor<32x8xbf16>, %w: tensor<8x257xbf16>) -> tensor<32xi64> {
  %zero = arith.constant 0.0 : bf16
  %one = arith.constant 1.0 : bf16
  %least = arith.constant 0xFF80 : bf16
  %pe = tensor.empty() : tensor<32x257xbf16>
  %pi = linalg.fill ins(%zero : bf16) outs(%pe : tensor<32x257xbf16>) -> tensor<32x257xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<32x8xbf16>, tensor<8x257xbf16>) outs(%pi : tensor<32x257xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %acc: bf16):
    %m = arith.mulf %a, %b : bf16
    %r = arith.addf %m, %acc : bf16
    linalg.yield %r : bf16
  } -> tensor<32x257xbf16>
  %none = arith.constant 0 : i64
  %s = tensor.empty() : tensor<32xbf16>
  %i = tensor.empty() : tensor<32xi64>
  %m0 = linalg.fill ins(%least : bf16) outs(%s : tensor<32xbf16>) -> tensor<32xbf16>
  %i0 = linalg.fill ins(%none : i64) outs(%i : tensor<32xi64>) -> tensor<32xi64>
  %g:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<32x257xbf16>) outs(%m0, %i0 : tensor<32xbf16>, tensor<32xi64>) {
  ^bb0(%a: bf16, %b: bf16, %k: i64):
    %j = linalg.index 1 : index
    %j64 = arith.index_cast %j : index to i64
    %c = arith.cmpf ogt, %a, %b : bf16
    %u = arith.maximumf %a, %b : bf16
    %v = arith.select %c, %j64, %k : i64
    linalg.yield %u, %v : bf16, i64
  } -> (tensor<32xbf16>, tensor<32xi64>)
  return %g#1 : tensor<32xi64>
}
