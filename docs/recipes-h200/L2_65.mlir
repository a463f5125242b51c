module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "1f580c7676d7db0d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"split-reduction", strategy, "30f61466ba8973c8">} {
    %0 = transform.tune.knob<"split"> = 32 : i64 from options = [32, 8, 128, 512, 1024] -> !transform.param<i64>
    %1 = transform.tune.knob<"lanes"> = 32 : i64 from options = [256, 1, 32] -> !transform.param<i64>
    %2 = transform.tune.knob<"unroll"> = 4 : i64 from options = [4, 8, 2, 1] -> !transform.param<i64>
    %3 = transform.tune.knob<"vector_width"> = 4 : i64 from options = [4, 1, 2] -> !transform.param<i64>
    %4 = transform.param.constant 256 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %arg0 block_size = %4 lanes = %1 vector_width = %3 unroll = %2 split = %0 : !transform.any_op
    transform.yield 
  }
}
