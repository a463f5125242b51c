// Bounds that no multiprocessor can keep are refused.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @too_many() kernel attributes {known_block_size = array<i32: 256, 4, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: 4 blocks of 1024 threads don't fit on a multiprocessor (at most 32 blocks and 2048 threads)}}
    transform.kernelskill.launch_bounds %k min_blocks = %4 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @same() kernel attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.minctasm = 2 : i32} {
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: the kernel already asks for 2 blocks}}
    transform.kernelskill.launch_bounds %k min_blocks = %2 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func @no_kernel() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: expected a gpu.func, but found 'func.func'}}
    transform.kernelskill.launch_bounds %k min_blocks = %2 : !transform.any_op
    transform.yield
  }
}
