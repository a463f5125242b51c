module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "84420b72490b22a2", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
