module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "eda966f9866475fd", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "5a663bbcdec678e6">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
  transform.named_sequence @step_1(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "673a185b642d2809">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
