module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8c7ddbf0f541bda0", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
