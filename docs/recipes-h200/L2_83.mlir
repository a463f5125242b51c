module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5b9e4389e530c9b2", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "3d47d8f02f270138">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
