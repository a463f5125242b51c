module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "c4c34b4320aaa24e", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
