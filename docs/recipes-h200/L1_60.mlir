module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "6d8c5a9cc47853db", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
