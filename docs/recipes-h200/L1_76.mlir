module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2b02a1f1eb132f88", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
