module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8f238e1624cc3e58", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
