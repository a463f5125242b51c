module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "b6abd6966322ec64", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
