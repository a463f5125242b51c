module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "6329d4e74ef58df1", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
