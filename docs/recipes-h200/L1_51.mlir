module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "54a15225764278e8", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
