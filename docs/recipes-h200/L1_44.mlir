module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "4b7c49225da2f5d0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
