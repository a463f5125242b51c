module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "d770b1038931fd64", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
