module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "df4cdb3b0e67dd0a", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
