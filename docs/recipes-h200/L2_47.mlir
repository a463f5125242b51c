module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2441232f56e3ccb7", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
