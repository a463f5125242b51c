// A product with several skills to try, small enough for the CPU device.
func.func @forward(%a: tensor<96x64xf32> {kernelskill.argument = #kernelskill.argument<"a", input, uniform>},
                   %b: tensor<64x128xf32> {kernelskill.argument = #kernelskill.argument<"b", input, uniform>})
    -> tensor<96x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x128xf32>) -> tensor<96x128xf32>
  %result = linalg.matmul ins(%a, %b : tensor<96x64xf32>, tensor<64x128xf32>)
      outs(%fill : tensor<96x128xf32>) -> tensor<96x128xf32>
  return %result : tensor<96x128xf32>
}
