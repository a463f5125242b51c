module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "89c7392688873d91", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
