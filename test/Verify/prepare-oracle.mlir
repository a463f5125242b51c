// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-prepare-oracle))' | FileCheck %s

// A tensor of one value is filled, not kept; a table stays; what is said of a
// result goes.
// CHECK-LABEL: func.func @constants
// CHECK-SAME:    -> (tensor<4x8xf64>, tensor<2xi64>)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG:     %[[TABLE:.*]] = arith.constant dense<[3, 4]> : tensor<2xi64>
// CHECK:         %[[FILLED:.*]] = linalg.fill ins(%[[ONE]] : f64)
// CHECK:         return %[[FILLED]], %[[TABLE]]
func.func @constants() -> (tensor<4x8xf64> {kernelskill.buffer = "ones"}, tensor<2xi64>) {
  %ones = arith.constant dense<1.0> : tensor<4x8xf64>
  %table = arith.constant dense<[3, 4]> : tensor<2xi64>
  return %ones, %table : tensor<4x8xf64>, tensor<2xi64>
}

