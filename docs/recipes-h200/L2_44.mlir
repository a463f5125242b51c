module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "a0a268bf42bf45e6", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
