module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "4c7198c5bfec6f2b", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
