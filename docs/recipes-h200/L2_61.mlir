module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "419eb26702b0d3bd", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
