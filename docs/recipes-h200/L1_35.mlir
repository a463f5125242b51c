module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "a1e1c1a6fe1141fc", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
