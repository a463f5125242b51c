module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "61a2731df513cb69", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
