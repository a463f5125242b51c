module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "ee8ecf2120394cb9", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
