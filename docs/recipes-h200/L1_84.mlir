module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "5ad03ec4d42a44a9", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
