module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "4d2514a66d6bded4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
