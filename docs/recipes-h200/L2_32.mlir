module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "c71b14facb7d603a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
