module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "959914b6570962e4", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
