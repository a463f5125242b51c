// Coalesces every kernel of a module.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %kernels = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.kernelskill.coalesce_threads %kernels : !transform.any_op
    transform.yield
  }
}
