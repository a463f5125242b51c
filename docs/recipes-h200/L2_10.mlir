module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8340b206c5e2508f", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
