module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "32e4da0270e38a6d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
