module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "dcadcd127e3df7e7", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
  transform.named_sequence @step_0(%arg0: !transform.any_op {transform.readonly}) attributes {kernelskill.step = #kernelskill.step<"register-tiled-contraction", strategy, "acd3ece30520557c">} {
    %0 = transform.tune.knob<"tile_m"> = 128 : i64 from options = [128, 64, 32, 256] -> !transform.param<i64>
    %1 = transform.tune.knob<"tile_n"> = 128 : i64 from options = [128, 64, 32, 256] -> !transform.param<i64>
    %2 = transform.tune.knob<"tile_k"> = 16 : i64 from options = [16, 8, 32] -> !transform.param<i64>
    %3 = transform.tune.knob<"thread_m"> = 8 : i64 from options = [8, 4, 16] -> !transform.param<i64>
    %4 = transform.tune.knob<"thread_n"> = 8 : i64 from options = [8, 4, 16] -> !transform.param<i64>
    %5 = transform.tune.knob<"stages"> = 2 : i64 from options = [2, 1] -> !transform.param<i64>
    %6 = transform.tune.knob<"group"> = 8 : i64 from options = [8, 1, 16] -> !transform.param<i64>
    %7 = transform.tune.knob<"chain"> = 256 : i64 from options = [256, 512, 128] -> !transform.param<i64>
    %8 = transform.tune.knob<"min_blocks"> = 2 : i64 from options = [2, 3, 1] -> !transform.param<i64>
    transform.kernelskill.contraction %arg0 tile_m = %0 tile_n = %1 tile_k = %2 thread_m = %3 thread_n = %4 stages = %5 group = %6 chain = %7 min_blocks = %8 : !transform.any_op
    transform.yield 
  }
}
