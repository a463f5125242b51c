module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5f21f0e80d2d7028", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
