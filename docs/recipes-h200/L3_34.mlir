module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "89ebc27ff4f998db", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
