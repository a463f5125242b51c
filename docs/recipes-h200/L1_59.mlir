module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "41bafa808b0e1cbf", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
