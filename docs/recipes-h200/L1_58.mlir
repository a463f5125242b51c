module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "01cdc7b54cdaf6bb", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
