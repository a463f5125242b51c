module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "b532afbf8c5019a0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
