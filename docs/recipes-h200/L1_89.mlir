module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "fdb287ad8134e0ec", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
