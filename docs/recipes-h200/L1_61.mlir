module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "ed077620b727f1f6", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
