module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "b7a45208d06505b6", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
