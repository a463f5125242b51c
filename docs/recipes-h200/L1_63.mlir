module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "09c196fc7b4cf2c2", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
