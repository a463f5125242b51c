module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "2c15ff079ed21380", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
