// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --kernelskill-form-dispatches --split-input-file | FileCheck %s

// Forms in which a front end says well-known operators: each is one dispatch.

// CHECK-LABEL: func.func @square_matmul
// CHECK: <contraction
// CHECK-NOT: @dispatch_1
func.func @square_matmul(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<16x16xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// -----

// CHECK-LABEL: func.func @times_scalar
// CHECK: <pointwise
// CHECK: arith.constant 2.718000e+00 : f32
// CHECK-NEXT: arith.mulf
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @times_scalar(%a: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %cst = arith.constant 2.718 : f64
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.truncf %cst : f64 to f32
    %3 = arith.mulf %in, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<9x16xf32>
  return %1 : tensor<9x16xf32>
}

// -----

// CHECK-LABEL: func.func @relu
// CHECK: <pointwise
// CHECK: arith.cmpf
// CHECK-NEXT: arith.select
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @relu(%x: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.cmpf ugt, %in, %cst : f32
    %3 = arith.select %2, %in, %cst : f32
    linalg.yield %3 : f32
  } -> tensor<9x16xf32>
  return %1 : tensor<9x16xf32>
}

// -----

// CHECK-LABEL: func.func @sigmoid
// CHECK: <pointwise
// CHECK: math.exp
// CHECK: arith.divf
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @sigmoid(%x: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %cst = arith.constant 1.0 : f32
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.negf %in : f32
    %3 = math.exp %2 : f32
    %4 = arith.addf %3, %cst : f32
    %5 = arith.divf %cst, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<9x16xf32>
  return %1 : tensor<9x16xf32>
}

// -----

// CHECK-LABEL: func.func @tanh
// CHECK: <pointwise
// CHECK: math.tanh
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @tanh(%x: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = math.tanh %in : f32
    linalg.yield %2 : f32
  } -> tensor<9x16xf32>
  return %1 : tensor<9x16xf32>
}

// -----

// The halves of GELU that a front end may leave apart are one operation.

// CHECK-LABEL: func.func @gelu
// CHECK: <pointwise
// CHECK: arith.divf
// CHECK-NEXT: math.erf
// CHECK-NOT: linalg.generic
// CHECK: arith.addf
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @gelu(%x: tensor<9x16xf32>) -> tensor<9x16xf32> {
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.divf %in, %root : f32
    %3 = math.erf %2 : f32
    linalg.yield %3 : f32
  } -> tensor<9x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %1 : tensor<9x16xf32>, tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %e: f32, %out: f32):
    %3 = arith.addf %e, %one : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.mulf %in, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<9x16xf32>
  return %2 : tensor<9x16xf32>
}

// -----

// The sum over an inner axis that keeps it as extent 1: the reduction drops
// the axis, and the public function puts it back.

// CHECK-LABEL: func.func @sum_keepdim
// CHECK: call @dispatch_0
// CHECK-NEXT: tensor.expand_shape
// CHECK: func.func private @dispatch_0(%{{.*}}) -> tensor<4x7xf32>
// CHECK-SAME: <reduction
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT: @dispatch_1
#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
func.func @sum_keepdim(%x: tensor<4x9x7xf32>) -> tensor<4x1x7xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x1x7xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x1x7xf32>) -> tensor<4x1x7xf32>
  %2 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x9x7xf32>) outs(%1 : tensor<4x1x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = arith.addf %in, %out : f32
    linalg.yield %3 : f32
  } -> tensor<4x1x7xf32>
  return %2 : tensor<4x1x7xf32>
}

// -----

// A mean: a sum, and a division behind it.

// CHECK-LABEL: func.func @mean
// CHECK: <reduction
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK-NOT: @dispatch_1
#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @mean(%x: tensor<4x9x7xf32>) -> tensor<4x7xf32> {
  %cst = arith.constant 0.0 : f32
  %n = arith.constant 9.0 : f32
  %0 = tensor.empty() : tensor<4x7xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x7xf32>) -> tensor<4x7xf32>
  %2 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x9x7xf32>) outs(%1 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.addf %in, %out : f32
    linalg.yield %4 : f32
  } -> tensor<4x7xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x7xf32>) outs(%0 : tensor<4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.divf %in, %n : f32
    linalg.yield %4 : f32
  } -> tensor<4x7xf32>
  return %3 : tensor<4x7xf32>
}

// -----

// Mean squared error: difference, square, sum to one number, division.

// CHECK-LABEL: func.func @mse
// CHECK: func.func private @dispatch_0(%{{.*}}) -> tensor<f32>
// CHECK-SAME: <reduction
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction"]
// CHECK: %[[D:.*]] = arith.subf
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[D]], %[[D]]
// CHECK-NEXT: arith.addf %[[S]]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = []
// CHECK: arith.divf
// CHECK-NOT: @dispatch_1
#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#zero = affine_map<() -> ()>
func.func @mse(%a: tensor<9x16xf32>, %b: tensor<9x16xf32>) -> tensor<f32> {
  %two = arith.constant 2 : i64
  %cst = arith.constant 0.0 : f32
  %n = arith.constant 144.0 : f32
  %0 = tensor.empty() : tensor<9x16xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<9x16xf32>, tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %7 = arith.subf %x, %y : f32
    linalg.yield %7 : f32
  } -> tensor<9x16xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<9x16xf32>) outs(%0 : tensor<9x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = math.fpowi %in, %two : f32, i64
    linalg.yield %7 : f32
  } -> tensor<9x16xf32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<f32>) -> tensor<f32>
  %5 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]} ins(%2 : tensor<9x16xf32>) outs(%4 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.addf %in, %out : f32
    linalg.yield %7 : f32
  } -> tensor<f32>
  %6 = linalg.generic {indexing_maps = [#zero, #zero], iterator_types = []} ins(%5 : tensor<f32>) outs(%3 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %7 = arith.divf %in, %n : f32
    linalg.yield %7 : f32
  } -> tensor<f32>
  return %6 : tensor<f32>
}
