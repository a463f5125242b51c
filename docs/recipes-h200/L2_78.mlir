module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "ff55ba3526d6e95a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
