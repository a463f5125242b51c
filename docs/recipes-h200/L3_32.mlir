module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8302a4af26a22c80", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
