module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "98013f1237b279d9", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
