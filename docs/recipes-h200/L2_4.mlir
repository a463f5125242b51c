module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5f865fe6c4c687c3", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
