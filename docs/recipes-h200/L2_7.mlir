module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8fa63756abe2e9df", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
