module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "537590549666f2e1", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
