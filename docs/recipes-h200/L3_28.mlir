module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2c6c7a7b3b1da4df", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
