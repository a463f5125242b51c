module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "9acabd22df2bfb73", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
