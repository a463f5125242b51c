module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "a8b817713a50173c", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
