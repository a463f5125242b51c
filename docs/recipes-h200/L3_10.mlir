module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "e1c79baf894610e8", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
