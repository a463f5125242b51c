module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "a6628aa34965448b", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
