module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "18bdb9ad2d375dba", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
