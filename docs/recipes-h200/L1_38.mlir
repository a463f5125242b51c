module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "22b05c3c6888c2f0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
