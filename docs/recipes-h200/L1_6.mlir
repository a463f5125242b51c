module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "0db467836b0d801a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
