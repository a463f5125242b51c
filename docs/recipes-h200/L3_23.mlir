module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8ec375c8bb259b90", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
