// Rows of a table by indices: no model knows where such loads go.
func.func @forward(%t: tensor<10x4xf32> {kernelskill.argument = #kernelskill.argument<"t", input, normal>},
                   %i: tensor<6xi64> {kernelskill.argument = #kernelskill.argument<"i", input, integer, scale = 10.0>}) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a,b)->(a)>, affine_map<(a,b)->(a,b)>], iterator_types = ["parallel","parallel"]} ins(%i : tensor<6xi64>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %x = arith.index_cast %in : i64 to index
    %b = linalg.index 1 : index
    %v = tensor.extract %t[%x, %b] : tensor<10x4xf32>
    linalg.yield %v : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}
