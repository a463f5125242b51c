module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "472a4b70ffa6bde2", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
