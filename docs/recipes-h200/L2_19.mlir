module attributes {kernelskill.recipe = #kernelskill.recipe<version = 1, payload = "3e9bd02601420174", chip = "sm_90a", numerics = fp32>, transform.with_named_sequence} {
}
