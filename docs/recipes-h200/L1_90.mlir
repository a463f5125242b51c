module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2e74574a8a614ab5", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
