// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --kernelskill-form-dispatches --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

// A chain of elementwise operations, a broadcast and a number in a rank 0
// tensor become one operation, with constants inside its region. An argument
// that nobody uses stays one of the public function only.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>, %[[B:[^:]*]]: tensor<8xf32>, %[[S:[^:]*]]: tensor<f32>, %{{.*}}: tensor<2xi1>)
// CHECK-NEXT: %[[R:.*]] = call @dispatch_0(%[[X]], %[[B]], %[[S]])
// CHECK-NEXT: return %[[R]]
// CHECK: func.func private @dispatch_0(%[[X:[^:]*]]: tensor<4x8xf32>, %[[B:[^:]*]]: tensor<8xf32>, %[[S:[^:]*]]: tensor<f32>)
// CHECK-SAME: kernelskill.dispatch = #kernelskill.dispatch<pointwise, "{{[0-9a-f]+}}">
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[B]], %[[S]] :
// CHECK: arith.constant 2.000000e+00
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %s: tensor<f32>, %unused: tensor<2xi1>) -> tensor<4x8xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %w = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %0 = linalg.add ins(%x, %w : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1, %s : tensor<4x8xf32>, tensor<f32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.mulf %m, %two : f32
    linalg.yield %n : f32
  } -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// What two dispatches need is a dispatch of its own; equal dispatches share a
// function.

// CHECK-LABEL: func.func @shared(
// CHECK: %[[E:.*]] = call @dispatch_0(%{{.*}})
// CHECK: %[[A:.*]] = call @dispatch_1(%[[E]])
// CHECK: %[[B:.*]] = call @dispatch_0(%[[E]])
// CHECK: return %[[A]], %[[B]]
// CHECK: @dispatch_0
// CHECK-SAME: <pointwise
// CHECK: @dispatch_1
// CHECK-SAME: <reduction
// CHECK-NOT: @dispatch_2
func.func @shared(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %er = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.exp ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %2 : tensor<4xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#flip = affine_map<(d0, d1) -> (d1, d0)>

// A transpose and elementwise producers go into a reduction, an elementwise
// consumer behind it; what reads the result once for each row element does not.

// CHECK-LABEL: func.func @reduction(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x4xf32>)
// CHECK: %[[R:.*]] = call @dispatch_0(%[[X]])
// CHECK: %[[Y:.*]] = call @dispatch_1(%[[X]], %[[R]])
// CHECK: return %[[Y]]
// CHECK: func.func private @dispatch_0(
// CHECK-SAME: <reduction
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK: math.absf
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK: math.sqrt
// CHECK: func.func private @dispatch_1(
// CHECK-SAME: <pointwise
// CHECK: arith.divf
func.func @reduction(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %er = tensor.empty() : tensor<4xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %0 = linalg.abs ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.sqrt ins(%1 : tensor<4xf32>) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t, %2 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// A transpose of a weight goes into the maps of a product, bias and activation
// behind it; the activation before it is a dispatch of its own.

// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @contraction(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xf32>, %[[W:[^:]*]]: tensor<6x8xf32>, %[[B:[^:]*]]: tensor<6xf32>)
// CHECK: %[[A:.*]] = call @dispatch_0(%[[X]])
// CHECK: %[[R:.*]] = call @dispatch_1(%[[A]], %[[W]], %[[B]])
// CHECK: return %[[R]]
// CHECK: @dispatch_0
// CHECK-SAME: <pointwise
// CHECK: @dispatch_1
// CHECK-SAME: <contraction
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#{{[^,]*}}, #[[$ROWS]], #{{[^,]*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: math.tanh
func.func @contraction(%x: tensor<4x8xf32>, %w: tensor<6x8xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x6xf32>
  %e2 = tensor.empty() : tensor<4x6xf32>
  %a = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = linalg.transpose ins(%w : tensor<6x8xf32>) outs(%e1 : tensor<8x6xf32>) permutation = [1, 0]
  %f = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e2 : tensor<4x6xf32>) dimensions = [0]
  %s = linalg.add ins(%m, %c : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.tanh ins(%s : tensor<4x6xf32>) outs(%e2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// A product that adds to an argument reads it as its starting value; a matrix
// times a vector is a reduction.

// CHECK-LABEL: func.func @products(
// CHECK: func.func private @dispatch_0(%[[A:[^:]*]]: tensor<4x8xf32>, %[[B:[^:]*]]: tensor<8x6xf32>, %[[C:[^:]*]]: tensor<4x6xf32>)
// CHECK-SAME: <contraction
// CHECK-NOT: linalg.fill
// CHECK: outs(%[[C]] : tensor<4x6xf32>)
// CHECK: func.func private @dispatch_1(
// CHECK-SAME: <reduction
func.func @products(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %v: tensor<8xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %w = linalg.matvec ins(%a, %v : tensor<4x8xf32>, tensor<8xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %m, %w : tensor<4x6xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#flip = affine_map<(d0, d1) -> (d1, d0)>

// Loops follow the result's layout, so that the same transpose is one dispatch
// however it was written. A fill that is returned is a dispatch; an argument
// that is returned is none.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$FLIP:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @movement(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4x8xbf16>)
// CHECK-DAG: %[[A:.*]] = call @[[T:dispatch_[0-9]]](%[[X]])
// CHECK-DAG: %[[F:.*]] = call @{{.*}}() : () -> tensor<3xi64>
// CHECK: return %[[A]], %[[A]], %[[F]], %[[X]]
// CHECK: func.func private @[[T]](
// CHECK-SAME: <data_movement
// CHECK: linalg.generic {indexing_maps = [#[[$FLIP]], #[[$ID]]]
// CHECK: func.func private @{{.*}}()
// CHECK-SAME: <data_movement
// CHECK: arith.constant 7 : i64
// CHECK-NEXT: linalg.yield
func.func @movement(%x: tensor<4x8xbf16>) -> (tensor<8x4xbf16>, tensor<8x4xbf16>, tensor<3xi64>, tensor<4x8xbf16>) {
  %seven = arith.constant 7 : i64
  %e = tensor.empty() : tensor<8x4xbf16>
  %a = linalg.transpose ins(%x : tensor<4x8xbf16>) outs(%e : tensor<8x4xbf16>) permutation = [1, 0]
  %b = linalg.generic {indexing_maps = [#id, #flip], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xbf16>) outs(%e : tensor<8x4xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<8x4xbf16>
  %ef = tensor.empty() : tensor<3xi64>
  %f = linalg.fill ins(%seven : i64) outs(%ef : tensor<3xi64>) -> tensor<3xi64>
  return %a, %b, %f, %x : tensor<8x4xbf16>, tensor<8x4xbf16>, tensor<3xi64>, tensor<4x8xbf16>
}
