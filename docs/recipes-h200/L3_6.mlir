module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8031599d1a02597d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
