module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "aee7b82a812105aa", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"row-reduction", strategy, "ae494109afc6602c">} {
    %0 = transform.tune.knob<"lanes"> = 256 : i64 from options = [32, 256, 128, 64] -> !transform.param<i64>
    %1 = transform.tune.knob<"vector_width"> = 4 : i64 from options = [4, 2, 1] -> !transform.param<i64>
    %2 = transform.tune.knob<"unroll"> = 4 : i64 from options = [4, 2, 8, 1] -> !transform.param<i64>
    %3 = transform.tune.knob<"block_size"> = 256 : i64 from options = [256, 512] -> !transform.param<i64>
    %4 = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %arg0 block_size = %3 lanes = %0 vector_width = %1 unroll = %2 split = %4 : !transform.any_op
    transform.yield 
  }
  transform.named_sequence @step_1(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"unroll-loops", refine, "919c384a89cf4292">} {
    %0 = transform.tune.knob<"factor"> = 2 : i64 from options = [8, 4, 16, 2] -> !transform.param<i64>
    transform.kernelskill.unroll %arg0 factor = %0 : !transform.any_op
    transform.yield 
  }
}
