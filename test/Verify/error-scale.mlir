// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-error-scale,canonicalize,cse))' | FileCheck %s
// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-error-scale{roundoff-bits=8 swap-bits=4},canonicalize,cse))' | FileCheck %s --check-prefix=BF16

// A product and a sum of exact arguments: each adds its magnitude.
// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    -> (tensor<4xf64>, tensor<4xf64>)
// CHECK:       ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %{{.*}}: f64, %{{.*}}: f64):
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT:    %[[E1:.*]] = math.absf %[[P]]
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[P]], %[[A]]
// CHECK-NEXT:    %[[M:.*]] = math.absf %[[S]]
// CHECK-NEXT:    %[[E2:.*]] = arith.addf %[[E1]], %[[M]]
// CHECK-NEXT:    linalg.yield %[[S]], %[[E2]]
func.func @elementwise(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %a : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A matmul: each summand's magnitude twice (its product, its sum), whatever the
// length; the running scale is itself a sum of one addition.
// CHECK-LABEL: func.func @matmul
// CHECK:       ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %[[ACC:.*]]: f64, %[[E:.*]]: f64):
// CHECK:         %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK:         %[[M:.*]] = math.absf %[[P]]
// CHECK:         %[[S:.*]] = arith.addf %[[ACC]], %[[P]]
// CHECK:         %[[T:.*]] = arith.addf %[[M]], %[[M]]
// CHECK:         %[[N:.*]] = arith.addf %[[E]], %[[T]]
// CHECK:         linalg.yield %[[S]], %[[N]]
func.func @matmul(%x: tensor<3x5xf64>, %y: tensor<5x4xf64>) -> tensor<3x4xf64> {
  %c = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<3x4xf64>
  %f = linalg.fill ins(%c : f64) outs(%e : tensor<3x4xf64>) -> tensor<3x4xf64>
  %r = linalg.matmul ins(%x, %y : tensor<3x5xf64>, tensor<5x4xf64>) outs(%f : tensor<3x4xf64>) -> tensor<3x4xf64>
  return %r : tensor<3x4xf64>
}

// What a sum starts from is a summand too.
// CHECK-LABEL: func.func @bias
// CHECK-SAME:    %[[X:[^:]*]]: tensor<8xf64>, %[[INIT:[^:]*]]: tensor<f64>
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<f64>)
// CHECK:           math.absf
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : tensor<8xf64>) outs(%[[INIT]], %[[START]] :
func.func @bias(%x: tensor<8xf64>, %init: tensor<f64>) -> tensor<f64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<8xf64>) outs(%init : tensor<f64>) {
  ^bb0(%a: f64, %b: f64):
    %u = arith.addf %a, %b : f64
    linalg.yield %u : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}

// A choice by compared values: where rounding could turn the comparison over,
// the other branch may be taken. What is only moved or compared has no error:
// the scale of a ReLU of an argument is zero.
// CHECK-LABEL: func.func @relu
// CHECK:         %[[ZERO:.*]] = linalg.fill
// CHECK:         return %{{.*}}, %[[ZERO]]
func.func @relu(%x: tensor<4xf64>) -> tensor<4xf64> {
  %c = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    %p = arith.cmpf ugt, %a, %c : f64
    %s = arith.select %p, %a, %c : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// BF16-LABEL: func.func @step
// BF16-DAG:      arith.constant 6.250000e-02 : f64
// BF16-DAG:      arith.constant 2.560000e+02 : f64
// BF16:          return
// CHECK-LABEL: func.func @step
// CHECK-DAG:     %[[MARGIN:.*]] = arith.constant 1.52587890625E-5 : f64
// CHECK-DAG:     %[[WHOLE:.*]] = arith.constant 0x4170000000000000 : f64
// CHECK:         %[[D:.*]] = arith.subf
// CHECK:         arith.cmpf ugt, %[[D]]
// CHECK:         %[[NEAR:.*]] = arith.cmpf ult
// CHECK:         %[[NUMBERS:.*]] = arith.cmpf ord
// CHECK:         %[[TURNED:.*]] = arith.andi %[[NEAR]], %[[NUMBERS]]
// CHECK:         arith.mulf %{{.*}}, %[[WHOLE]]
// CHECK:         arith.select %[[TURNED]]
func.func @step(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %c = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %d = arith.subf %a, %b : f64
    %p = arith.cmpf ugt, %d, %c : f64
    %s = arith.select %p, %a, %c : f64
    linalg.yield %s : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A constant that f32 can't hold has its own size as scale; padding, slices and
// reshapes move scales along; integers have none.
// CHECK-LABEL: func.func @moves
// CHECK-SAME:    -> (tensor<2x3xf64>, tensor<2x3xf64>, tensor<6xi64>, tensor<6xi64>)
// CHECK:         linalg.generic
// CHECK:         tensor.expand_shape
// CHECK:         tensor.expand_shape
func.func @moves(%x: tensor<6xf64>, %i: tensor<6xi64>) -> (tensor<2x3xf64>, tensor<6xi64>) {
  %tenth = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<6xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<6xf64>) outs(%e : tensor<6xf64>) {
  ^bb0(%a: f64, %o: f64):
    %p = arith.mulf %a, %tenth : f64
    linalg.yield %p : f64
  } -> tensor<6xf64>
  %s = tensor.expand_shape %r [[0, 1]] output_shape [2, 3] : tensor<6xf64> into tensor<2x3xf64>
  return %s, %i : tensor<2x3xf64>, tensor<6xi64>
}

// A function is judged by how far its result moves: evaluated at the operand
// plus and minus one roundoff of that, and the furthest that rounding may move it.
// CHECK-LABEL: func.func @function
// CHECK-DAG:     %[[MARGIN:.*]] = arith.constant 1.52587890625E-5 : f64
// CHECK-DAG:     %[[BACK:.*]] = arith.constant 6.553600e+04 : f64
// CHECK-DAG:     %[[ROUNDOFF:.*]] = arith.constant 5.9604644775390625E-8 : f64
// CHECK-DAG:     %[[WHOLE:.*]] = arith.constant 0x4170000000000000 : f64
// CHECK:         %[[S:.*]] = arith.addf
// CHECK:         %[[R:.*]] = math.tanh %[[S]]
// CHECK:         %[[NEAR:.*]] = arith.mulf %{{.*}}, %[[ROUNDOFF]]
// CHECK:         %[[ABOVE:.*]] = arith.addf %[[S]], %[[NEAR]]
// CHECK:         math.tanh %[[ABOVE]]
// CHECK:         %[[BELOW:.*]] = arith.subf %[[S]], %[[NEAR]]
// CHECK:         math.tanh %[[BELOW]]
// CHECK:         %[[SLOPE:.*]] = arith.maximumf
// CHECK:         %[[FIRST:.*]] = arith.mulf %[[SLOPE]], %[[WHOLE]]
// CHECK:         %[[STEP:.*]] = arith.mulf %{{.*}}, %[[MARGIN]]
// CHECK:         %[[UP:.*]] = arith.addf %[[S]], %[[STEP]]
// CHECK:         math.tanh %[[UP]]
// CHECK:         %[[DOWN:.*]] = arith.subf %[[S]], %[[STEP]]
// CHECK:         math.tanh %[[DOWN]]
// CHECK:         %[[FURTHEST:.*]] = arith.maximumf
// CHECK:         %[[SECOND:.*]] = arith.mulf %[[FURTHEST]], %[[BACK]]
// CHECK:         arith.maximumf %[[FIRST]], %[[SECOND]]
func.func @function(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %s = arith.addf %a, %b : f64
    %t = math.tanh %s : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A product of computed values, to second order: where a value has cancelled to
// nothing, the first says that its square has no error.
// CHECK-LABEL: func.func @square
// CHECK-DAG:     %[[MARGIN:.*]] = arith.constant 1.52587890625E-5 : f64
// CHECK:         %[[S:.*]] = arith.addf
// CHECK:         %[[E:.*]] = math.absf %[[S]]
// CHECK:         %[[R:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK:         %[[FIRST:.*]] = arith.mulf %[[E]], %[[E]]
// CHECK:         %[[REACH:.*]] = arith.mulf %[[E]], %[[MARGIN]]
// CHECK:         %[[FAR:.*]] = arith.addf %[[E]], %[[REACH]]
// CHECK:         %[[SECOND:.*]] = arith.mulf %[[E]], %[[FAR]]
// CHECK:         arith.addf %[[FIRST]], %[[SECOND]]
func.func @square(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.mulf %s, %s : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A quotient by a computed value, to second order.
// CHECK-LABEL: func.func @reciprocal
// CHECK-DAG:     %[[MARGIN:.*]] = arith.constant 1.52587890625E-5 : f64
// CHECK:         %[[S:.*]] = arith.addf
// CHECK:         %[[E:.*]] = math.absf %[[S]]
// CHECK:         %[[R:.*]] = arith.divf %{{.*}}, %[[S]]
// CHECK:         %[[M:.*]] = math.absf %[[R]]
// CHECK:         %[[P:.*]] = arith.mulf %[[E]], %[[M]]
// CHECK:         %[[FIRST:.*]] = arith.divf %[[P]], %{{.*}}
// CHECK:         %[[REACH:.*]] = arith.mulf %[[E]], %[[MARGIN]]
// CHECK:         %[[T:.*]] = arith.divf %[[REACH]], %{{.*}}
// CHECK:         %[[SECOND:.*]] = arith.mulf %[[FIRST]], %[[T]]
// CHECK:         arith.addf %[[FIRST]], %[[SECOND]]
func.func @reciprocal(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %s = arith.addf %a, %b : f64
    %t = arith.divf %a, %s : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// A power of a computed value, to second order; a root's scale stays finite
// where the value may be zero.
// CHECK-LABEL: func.func @power
// CHECK:         %[[S:.*]] = arith.addf
// CHECK:         %[[E:.*]] = math.absf %[[S]]
// CHECK:         math.powf %[[S]], %[[Y:.*]] : f64
// CHECK:         %[[FAR:.*]] = arith.mulf %[[E]], %{{.*}}
// CHECK:         %[[LESS:.*]] = arith.subf %[[Y]], %{{.*}}
// CHECK-DAG:     %[[OUT:.*]] = arith.addf %[[E]], %[[FAR]]
// CHECK-DAG:     %[[HERE:.*]] = math.powf %[[E]], %[[LESS]]
// CHECK:         %[[THERE:.*]] = math.powf %[[OUT]], %[[LESS]]
// CHECK:         arith.maximumf
// CHECK:         %[[ERROR:.*]] = arith.divf %[[E]], %{{.*}}
// CHECK:         %[[ROOT:.*]] = math.powf %[[ERROR]], %{{.*}}
// CHECK:         arith.select
func.func @power(%x: tensor<4xf64>, %y: tensor<4xf64>, %z: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y, %z : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %o: f64):
    %s = arith.addf %a, %b : f64
    %t = math.powf %s, %c : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// Where the greatest of computed values is, and a byte for each place: whether
// rounding could make the one there the greatest. What has no other value is
// given again.
// CHECK-LABEL: func.func @index
// CHECK-SAME:    -> (tensor<6x1xi64>, tensor<6x9xi8>, tensor<6xi32>, tensor<6xi32>)
// CHECK:         %[[X:.*]]:2 = linalg.generic
// CHECK:         %[[FOUND:.*]]:3 = linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]
// CHECK:         %[[MAY:.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      ins(%[[X]]#0, %[[X]]#1, %[[FOUND]]#1 :
// CHECK:         %[[ROW:.*]] = linalg.index 1
// CHECK:         tensor.extract %[[X]]#0[%{{.*}}, %[[ROW]]]
// CHECK:         tensor.extract %[[X]]#1[%{{.*}}, %[[ROW]]]
// CHECK:         arith.cmpf ult
// CHECK:         arith.cmpf ord
// CHECK:         %[[SHAPED:.*]] = tensor.expand_shape %[[FOUND]]#1
// CHECK:         return %[[SHAPED]], %[[MAY]], %[[I:.*]], %[[I]] :
func.func @index(%x: tensor<9x6xf64>, %y: tensor<9x6xf64>, %i: tensor<6xi32>) -> (tensor<6x1xi64>, tensor<6xi32>) {
  %low = arith.constant 0xFFF0000000000000 : f64
  %none = arith.constant 0 : i64
  %d = tensor.empty() : tensor<9x6xf64>
  %s = tensor.empty() : tensor<6xf64>
  %e = tensor.empty() : tensor<6xi64>
  %sum = linalg.add ins(%x, %y : tensor<9x6xf64>, tensor<9x6xf64>) outs(%d : tensor<9x6xf64>) -> tensor<9x6xf64>
  %m0 = linalg.fill ins(%low : f64) outs(%s : tensor<6xf64>) -> tensor<6xf64>
  %i0 = linalg.fill ins(%none : i64) outs(%e : tensor<6xi64>) -> tensor<6xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
      ins(%sum : tensor<9x6xf64>) outs(%m0, %i0 : tensor<6xf64>, tensor<6xi64>) {
  ^bb0(%a: f64, %b: f64, %k: i64):
    %j = linalg.index 0 : index
    %j64 = arith.index_cast %j : index to i64
    %p = arith.cmpf ogt, %a, %b : f64
    %u = arith.maximumf %a, %b : f64
    %v = arith.select %p, %j64, %k : i64
    linalg.yield %u, %v : f64, i64
  } -> (tensor<6xf64>, tensor<6xi64>)
  %shaped = tensor.expand_shape %m#1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  return %shaped, %i : tensor<6x1xi64>, tensor<6xi32>
}
