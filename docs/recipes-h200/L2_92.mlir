module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "f5ffa221660031b4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
