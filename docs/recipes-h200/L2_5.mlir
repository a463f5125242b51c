module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5565ca60e09b985e", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
