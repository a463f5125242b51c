module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9d7b2d2cf92bf9f3", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
