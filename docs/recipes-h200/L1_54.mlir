module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2f0c5e4c9dcada3a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
