module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "36e0e38d95933df0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
