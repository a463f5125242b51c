module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "d238cd55ee63fd91", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
