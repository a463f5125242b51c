module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "05142b8fa63f9a51", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
