module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "73151f383bf9b542", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"column-reduction", strategy, "37bd74ab457e5f0d">} {
    %0 = transform.tune.knob<"lanes"> = 8 : i64 from options = [1, 8, 4, 32] -> !transform.param<i64>
    %1 = transform.tune.knob<"unroll"> = 8 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    %2 = transform.tune.knob<"vector_width"> = 1 : i64 from options = [1, 2, 4] -> !transform.param<i64>
    %3 = transform.tune.knob<"block_size"> = 256 : i64 from options = [256, 128] -> !transform.param<i64>
    %4 = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %arg0 block_size = %3 lanes = %0 vector_width = %2 unroll = %1 split = %4 : !transform.any_op
    transform.yield 
  }
}
