module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "0383552ac92b796d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
