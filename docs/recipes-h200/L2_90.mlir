module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "efc6646a527662f7", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
