module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "67aff308166ec852", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
