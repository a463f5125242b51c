module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "d27d6f85bdc9b456", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
