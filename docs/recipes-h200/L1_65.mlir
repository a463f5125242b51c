module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "f413e301abda046d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
