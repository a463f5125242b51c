module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "48263a656607f5cd", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
