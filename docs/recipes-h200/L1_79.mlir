module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9637817c669d8e66", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
