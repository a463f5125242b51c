module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "88dd8f313d188240", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
