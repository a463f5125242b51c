module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "687f6961ffe775d0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
