module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "3b801496735e1741", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
