module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "48fc6c2ecf566acd", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
