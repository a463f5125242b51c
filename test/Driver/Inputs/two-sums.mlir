// Two dispatches that nothing connects: sums over rows of one matrix and over
// columns of another. Each has skills of its own, so a run has several rounds.
#full = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @forward(%a: tensor<64x512xf32> {kernelskill.argument = #kernelskill.argument<"a", input, normal>},
                   %b: tensor<256x96xf32> {kernelskill.argument = #kernelskill.argument<"b", input, normal>})
    -> (tensor<64xf32>, tensor<96xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty_a = tensor.empty() : tensor<64xf32>
  %fill_a = linalg.fill ins(%zero : f32) outs(%empty_a : tensor<64xf32>) -> tensor<64xf32>
  %sum_a = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x512xf32>) outs(%fill_a : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<64xf32>
  %empty_b = tensor.empty() : tensor<96xf32>
  %fill_b = linalg.fill ins(%zero : f32) outs(%empty_b : tensor<96xf32>) -> tensor<96xf32>
  %sum_b = linalg.generic {indexing_maps = [#full, #column], iterator_types = ["reduction", "parallel"]}
      ins(%b : tensor<256x96xf32>) outs(%fill_b : tensor<96xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<96xf32>
  return %sum_a, %sum_b : tensor<64xf32>, tensor<96xf32>
}
