module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "f6d5b51dc8e3e769", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
