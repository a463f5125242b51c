module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "d059875f59a118c9", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"vectorized-pointwise", strategy, "72245262dd4e42c6">} {
    %0 = transform.tune.knob<"vector_width"> = 4 : i64 from options = [4, 8, 2, 1] -> !transform.param<i64>
    %1 = transform.tune.knob<"block_size"> = 256 : i64 from options = [256, 128, 512, 1024] -> !transform.param<i64>
    %2 = transform.tune.knob<"items_per_thread"> = 1 : i64 from options = [1, 2, 4] -> !transform.param<i64>
    transform.kernelskill.pointwise %arg0 vector_width = %0 block_size = %1 items_per_thread = %2 : !transform.any_op
    transform.yield 
  }
  transform.named_sequence @step_1(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "3285e1d6da5ceb72">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
