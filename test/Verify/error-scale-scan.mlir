// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-error-scale))' -split-input-file -verify-diagnostics | FileCheck %s

// A running sum: the running sum of the magnitudes.
// CHECK-LABEL: func.func @sums
// CHECK:         kernelskill.scan ins(%arg0
// CHECK:         %[[M:.*]] = linalg.generic
// CHECK:           math.absf
// CHECK:         %[[E:.*]] = kernelskill.scan ins(%[[M]] {{.*}} dimension(1) identity(0.000000e+00 : f64) reverse
// CHECK:           arith.addf
// CHECK:         return %{{.*}}, %[[E]]
func.func @sums(%x: tensor<2x10xf64>) -> tensor<2x10xf64> {
  %empty = tensor.empty() : tensor<2x10xf64>
  %r = kernelskill.scan ins(%x : tensor<2x10xf64>) outs(%empty : tensor<2x10xf64>) dimension(1) identity(0.0 : f64) reverse {
  ^bb0(%s: f64, %e: f64):
    %n = arith.addf %s, %e : f64
    kernelskill.yield %n : f64
  } -> tensor<2x10xf64>
  return %r : tensor<2x10xf64>
}

// -----

// A running product: how much it grows when each factor does.
// CHECK-LABEL: func.func @products
// CHECK-COUNT-3: kernelskill.scan
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK-NEXT:      arith.constant 0x41D0000000000000 : f64
// CHECK-NEXT:      arith.mulf
func.func @products(%x: tensor<10xf64>) -> tensor<10xf64> {
  %empty = tensor.empty() : tensor<10xf64>
  %r = kernelskill.scan ins(%x : tensor<10xf64>) outs(%empty : tensor<10xf64>) dimension(0) identity(1.0 : f64) {
  ^bb0(%s: f64, %e: f64):
    %n = arith.mulf %s, %e : f64
    kernelskill.yield %n : f64
  } -> tensor<10xf64>
  return %r : tensor<10xf64>
}

// -----

func.func @other(%x: tensor<10xf64>) -> tensor<10xf64> {
  %empty = tensor.empty() : tensor<10xf64>
  // expected-error @below {{no error rule for a scan by 'arith.subf'}}
  %r = kernelskill.scan ins(%x : tensor<10xf64>) outs(%empty : tensor<10xf64>) dimension(0) identity(0.0 : f64) {
  ^bb0(%s: f64, %e: f64):
    %n = arith.subf %s, %e : f64
    kernelskill.yield %n : f64
  } -> tensor<10xf64>
  return %r : tensor<10xf64>
}
