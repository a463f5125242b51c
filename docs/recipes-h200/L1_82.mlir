module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "b5aeebc5a2d6eba6", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
