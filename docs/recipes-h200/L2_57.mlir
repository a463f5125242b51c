module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "f1117997b14ca892", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "21f9dd2bbbf986e6">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
