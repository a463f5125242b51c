module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "b46b274d1debcc7e", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
