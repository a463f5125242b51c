module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "fd4b739c8a9fd939", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
