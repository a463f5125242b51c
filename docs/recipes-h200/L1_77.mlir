module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9ff20a1e20156e13", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"launch-bounds", refine, "fd258ee22a7e25de">} {
    %0 = transform.tune.knob<"min_blocks"> = 2 : i64 from options = [4, 2, 3, 6, 8] -> !transform.param<i64>
    transform.kernelskill.launch_bounds %arg0 min_blocks = %0 : !transform.any_op
    transform.yield 
  }
}
