module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "01534c4ac77eeef3", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
