module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8b28e0705a18f6c4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"split-reduction", strategy, "dc81e8ddcfcae9a6">} {
    %0 = transform.tune.knob<"split"> = 32 : i64 from options = [32, 8, 128, 512, 1024] -> !transform.param<i64>
    %1 = transform.tune.knob<"lanes"> = 256 : i64 from options = [256, 1, 32] -> !transform.param<i64>
    %2 = transform.tune.knob<"unroll"> = 4 : i64 from options = [4, 8, 2, 1] -> !transform.param<i64>
    %3 = transform.tune.knob<"vector_width"> = 4 : i64 from options = [4, 1, 2] -> !transform.param<i64>
    %4 = transform.param.constant 256 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %arg0 block_size = %4 lanes = %1 vector_width = %3 unroll = %2 split = %0 : !transform.any_op
    transform.yield 
  }
  transform.named_sequence @step_1(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "71f345cd2a63c61a">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
