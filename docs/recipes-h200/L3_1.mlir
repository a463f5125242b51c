module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "e7cf6a636eca15df", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
