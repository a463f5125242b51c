module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2fa1175ac461e59b", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
