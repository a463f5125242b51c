// The refinement `unroll` unrolls innermost loops of constant length.
// RUN: kernelskill-opt %s --transform-interpreter --canonicalize | FileCheck %s

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // 10 iterations: two of four, then the two that are left.
    // CHECK-LABEL: gpu.func @row
    // CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4
    // CHECK: memref.load
    // CHECK: memref.load
    // CHECK: memref.load
    // CHECK: memref.load
    // CHECK-NOT: memref.load
    // CHECK: scf.yield
    // CHECK: scf.for %{{.*}} = %c8 to %c10 step %c1
    // CHECK: memref.load
    // CHECK-NOT: memref.load
    gpu.func @row(%x: memref<32x10xf32>, %y: memref<32xf32>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      %row = gpu.thread_id x
      %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%before = %zero) -> f32 {
        %element = memref.load %x[%row, %i] : memref<32x10xf32>
        %after = arith.addf %before, %element : f32
        scf.yield %after : f32
      }
      memref.store %sum, %y[%row] : memref<32xf32>
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.kernelskill.unroll %k factor = %4 : !transform.any_op
    transform.yield
  }
}
