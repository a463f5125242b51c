module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "1de986249d2946f4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"vectorized-pointwise", strategy, "abbdcae294eb050c">} {
    %0 = transform.tune.knob<"vector_width"> = 4 : i64 from options = [4, 8, 2, 1] -> !transform.param<i64>
    %1 = transform.tune.knob<"block_size"> = 256 : i64 from options = [256, 128, 512, 1024] -> !transform.param<i64>
    %2 = transform.tune.knob<"items_per_thread"> = 1 : i64 from options = [1, 2, 4] -> !transform.param<i64>
    transform.kernelskill.pointwise %arg0 vector_width = %0 block_size = %1 items_per_thread = %2 : !transform.any_op
    transform.yield 
  }
}
