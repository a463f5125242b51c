module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "f0491fe2c243f871", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
