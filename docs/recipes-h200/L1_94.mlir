module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "ff5230f11a9cefd4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
