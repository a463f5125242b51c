module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "467f203245720e36", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
