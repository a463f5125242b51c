// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --split-input-file --verify-diagnostics
// Indices must be drawn where the tensor has elements.
#row = affine_map<(d0, d1) -> (d0)>
#full = affine_map<(d0, d1) -> (d0, d1)>

func.func @too_large(%t: tensor<10x4xf32>,
    // expected-note @below {{integer, scale = 10.0 : f64>}}
    %i: tensor<2x3xi64> {kernelskill.argument = #kernelskill.argument<"i", input, integer, scale = 11.0>}) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %flat = tensor.collapse_shape %i [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %r = linalg.generic {indexing_maps = [#row, #full], iterator_types = ["parallel", "parallel"]}
      ins(%flat : tensor<6xi64>) outs(%e : tensor<6x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %x = arith.index_cast %in : i64 to index
    %y = linalg.index 1 : index
    // expected-error @below {{argument 'i' indexes dimension 0 of 10 elements, but its values are drawn between 0 and 10}}
    %v = tensor.extract %t[%x, %y] : tensor<10x4xf32>
    linalg.yield %v : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}

// -----

#line = affine_map<(d0) -> (d0)>
func.func @nothing_said(%t: tensor<10xf32>,
    // expected-note @below {{say how they are drawn}}
    %i: tensor<6xi32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%i : tensor<6xi32>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %x = arith.index_cast %in : i32 to index
    // expected-error @below {{argument number 1 indexes dimension 0 of 10 elements, but its values are drawn from the normal distribution}}
    %v = tensor.extract %t[%x] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

#line = affine_map<(d0) -> (d0)>
func.func @below_zero(%t: tensor<10xf32>,
    // expected-note @below {{say how they are drawn}}
    %i: tensor<6xi32> {kernelskill.argument = #kernelskill.argument<"i", input, integer, scale = 5.0, shift = -1.0>}) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%i : tensor<6xi32>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %x = arith.index_cast %in : i32 to index
    // expected-error @below {{drawn between -1 and 3}}
    %v = tensor.extract %t[%x] : tensor<10xf32>
    linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// -----

// In range, and computed: no error.
#line = affine_map<(d0) -> (d0)>
func.func @fine(%t: tensor<10xf32>,
    %i: tensor<6xi32> {kernelskill.argument = #kernelskill.argument<"i", input, integer, scale = 9.0, shift = 1.0>},
    %j: tensor<6xi32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %nine = arith.constant 9 : i32
  %zero = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#line, #line, #line], iterator_types = ["parallel"]}
      ins(%i, %j : tensor<6xi32>, tensor<6xi32>) outs(%e : tensor<6xf32>) {
  ^bb0(%in: i32, %jn: i32, %out: f32):
    %x = arith.index_cast %in : i32 to index
    %v = tensor.extract %t[%x] : tensor<10xf32>
    %low = arith.maxsi %jn, %zero : i32
    %clamped = arith.minsi %low, %nine : i32
    %y = arith.index_cast %clamped : i32 to index
    %w = tensor.extract %t[%y] : tensor<10xf32>
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
