module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9c67b2b37114713a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
