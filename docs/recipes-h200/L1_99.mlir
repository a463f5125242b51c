module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9116fbb3cbb50f1d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
