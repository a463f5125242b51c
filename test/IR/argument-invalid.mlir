// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics

func.func @good(%mask: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"dropout", random, dropout, scale = 1.25 : f64>}) {
  return
}

// -----

// expected-error @below {{a dropout's scale is 1 / (1 - its probability), so at least 1, but is}}
func.func @scale(%mask: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"dropout", random, dropout, scale = 0.5 : f64>}) {
  return
}

// -----

// expected-error @below {{a dropout's mask has no shift}}
func.func @shift(%mask: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"dropout", random, dropout, shift = 0.5 : f64>}) {
  return
}
