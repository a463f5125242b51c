module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "8b54f4224aa7b91d", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
