module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "7b3a391f7d69e32d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
