// What is read off kernels: strides and sectors across a warp, trips, shared
// memory, occupancy. What depends on data stays unknown.
// RUN: kernelskill-opt %s --kernelskill-extract-features="chip=sm_90a" | FileCheck %s

gpu.module @kernels {
  // One element a thread: 128 bytes a warp, four sectors, all used.
  // CHECK-LABEL: gpu.func @coalesced
  // CHECK-SAME: kind = kernel, flops = 1048576
  // CHECK-SAME: threads_per_block = 256, blocks = 4096
  // CHECK-SAME: global_loads_per_thread = 1, global_stores_per_thread = 1, load_width_bytes = 4, lane_stride_bytes = 4, coalesced_fraction = 1
  // CHECK-SAME: moved_bytes = 8388608, has_reuse = 0, barriers = 0, shared_bytes = 0
  // CHECK-SAME: occupancy_fraction = 1,
  // CHECK-SAME: loop_depth = 0, launch_bounded = 0
  // CHECK-SAME: estimated_us = 3.748, dram_us = 1.748
  gpu.func @coalesced(%x: memref<1048576xf32>, %y: memref<1048576xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4096, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<1048576xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<1048576xf32>
    gpu.return
  }

  // A row a thread: each lane its own sector, an eighth of it used at a time.
  // CHECK-LABEL: gpu.func @rows
  // CHECK-SAME: flops = 1048576
  // CHECK-SAME: global_loads_per_thread = 256,
  // CHECK-SAME: lane_stride_bytes = 1024, coalesced_fraction = 0.1254,
  // CHECK-SAME: loop_depth = 1
  gpu.func @rows(%x: memref<4096x256xf32>, %y: memref<4096xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 256 : index
    %zero = arith.constant 0.0 : f32
    %i = gpu.global_id x
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
      %v = memref.load %x[%i, %k] : memref<4096x256xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %sum, %y[%i] : memref<4096xf32>
    gpu.return
  }

  // Columns of a 32x32 tile in shared memory: all lanes meet in one bank. Half of
  // the threads of the last block are out of bounds.
  // CHECK-LABEL: gpu.func @conflict
  // CHECK-SAME: barriers = 1, shared_bytes = 4096, bank_conflict_degree = 32
  gpu.func @conflict(%x: memref<3x1024xf32>, %y: memref<3x1024xf32>) workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 32, 1>, known_grid_size = array<i32: 3, 1, 1>} {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %b = gpu.block_id x
    %i = affine.linearize_index [%ty, %tx] by (32, 32) : index
    %v = memref.load %x[%b, %i] : memref<3x1024xf32>
    memref.store %v, %tile[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %tile[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%b, %i] : memref<3x1024xf32>
    gpu.return
  }

  // Guarded vectors, by division and remainder.
  // CHECK-LABEL: gpu.func @vectors
  // CHECK-SAME: load_width_bytes = 16, lane_stride_bytes = 16, coalesced_fraction = 1,
  // CHECK-SAME: used_bytes = 7680, moved_bytes = 7680
  gpu.func @vectors(%x: memref<30x32xf32>, %y: memref<30x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
    %i = gpu.global_id x
    %c4 = arith.constant 4 : index
    %n = arith.constant 960 : index
    %at = arith.muli %i, %c4 : index
    %inside = arith.cmpi ult, %at, %n : index
    scf.if %inside {
      %r:2 = affine.delinearize_index %at into (30, 32) : index, index
      %v = vector.load %x[%r#0, %r#1] : memref<30x32xf32>, vector<4xf32>
      vector.store %v, %y[%r#0, %r#1] : memref<30x32xf32>, vector<4xf32>
    }
    gpu.return
  }

  // Where a gather goes is unknown, and so are all sums that it is part of.
  // CHECK-LABEL: gpu.func @gather
  // CHECK-SAME: load_width_bytes = 4,
  // CHECK-NOT: lane_stride_bytes
  // CHECK-NOT: coalesced_fraction
  // CHECK-NOT: moved_bytes
  // CHECK-NOT: estimated_us
  // CHECK: gpu.return
  gpu.func @gather(%at: memref<1024xindex>, %x: memref<1024xf32>, %y: memref<1024xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %i = gpu.global_id x
    %j = memref.load %at[%i] : memref<1024xindex>
    %v = memref.load %x[%j] : memref<1024xf32>
    memref.store %v, %y[%i] : memref<1024xf32>
    gpu.return
  }
}

// Work of dispatches: bytes once, flops by the bodies' ops.
// CHECK-LABEL: func.func private @rowsum
// CHECK-SAME: kind = reduction, flops = 131072, min_bytes = 524800, arithmetic_intensity = 0.2498
// CHECK-SAME: result_count = 128, reduction_length = 1024, has_inner_reduction = 1, has_transcendentals = 0, bound_us = 0.1093
func.func private @rowsum(%x: tensor<128x1024xf32>) -> tensor<128xf32>
    attributes {kernelskill.dispatch = #kernelskill.dispatch<reduction, "0123456789abcdef">} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128xf32>) -> tensor<128xf32>
  %root = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x1024xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %root : tensor<128xf32>
}

// CHECK-LABEL: func.func private @gelu
// CHECK-SAME: kind = pointwise
// CHECK-SAME: reduction_length = 1, has_transcendentals = 1
func.func private @gelu(%x: tensor<64xf32>) -> tensor<64xf32>
    attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdee">} {
  %empty = tensor.empty() : tensor<64xf32>
  %root = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%empty : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.tanh %a : f32
    linalg.yield %e : f32
  } -> tensor<64xf32>
  return %root : tensor<64xf32>
}
