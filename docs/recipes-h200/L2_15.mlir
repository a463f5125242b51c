module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "1e79813b11c8f6c0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
