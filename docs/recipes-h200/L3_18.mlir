module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "34c51686be4f440a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
