module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "08f1c884ec0383a8", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
