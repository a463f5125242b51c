// The refinement `launch_bounds` bounds registers by blocks that have to fit.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --verify-diagnostics | FileCheck %s

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @bounded
    // CHECK-SAME: nvvm.minctasm = 4 : i32
    gpu.func @bounded() kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    transform.kernelskill.launch_bounds %k min_blocks = %4 : !transform.any_op
    transform.yield
  }
}
