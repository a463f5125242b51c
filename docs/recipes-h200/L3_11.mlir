module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "6958e703dc89cdb0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
