module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "d51ed5e666e97749", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
