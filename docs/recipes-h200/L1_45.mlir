module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5c1118211ad0e17d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
