// A kernel without a loop to unroll is refused.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @unknown_length(%x: memref<32xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      scf.for %i = %c0 to %n step %c1 {
        memref.store %zero, %x[%i] : memref<32xf32>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: no innermost scf.for runs a constant number of times, 4 or more}}
    transform.kernelskill.unroll %k factor = %4 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @any() kernel {
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: factor must be at least 2, but is 1}}
    transform.kernelskill.unroll %k factor = %1 : !transform.any_op
    transform.yield
  }
}

// -----

// From %i to %i + 8: the trips are constant, the bounds are not.
module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @shifted(%x: memref<64xf32>) kernel {
      %i = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %end = arith.addi %i, %c8 overflow<nsw> : index
      scf.for %j = %i to %end step %c1 {
        memref.store %zero, %x[%j] : memref<64xf32>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: no innermost scf.for runs a constant number of times, 4 or more}}
    transform.kernelskill.unroll %k factor = %4 : !transform.any_op
    transform.yield
  }
}
