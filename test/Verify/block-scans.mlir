// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-block-scans{block=4}))' | FileCheck %s

// Ten elements: three blocks, the last filled with identities; the totals of the
// blocks are scanned without the block's own.
// CHECK-LABEL: func.func @sums
// CHECK:         tensor.pad %{{.*}} low[0, 0] high[0, 2]
// CHECK:         tensor.expand_shape {{.*}} : tensor<2x12xf32> into tensor<2x3x4xf32>
// CHECK:         kernelskill.scan {{.*}} dimension(2) identity(0.000000e+00 : f32) {
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 3] [2, 3, 1] [1, 1, 1]
// CHECK:         kernelskill.scan {{.*}}tensor<2x3xf32>) dimension(1) identity(0.000000e+00 : f32) exclusive {
// CHECK:         linalg.generic
// CHECK:           arith.addf
// CHECK:         tensor.collapse_shape {{.*}} : tensor<2x3x4xf32> into tensor<2x12xf32>
// CHECK:         tensor.extract_slice %{{.*}}[0, 0] [2, 10] [1, 1]
func.func @sums(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %empty = tensor.empty() : tensor<2x10xf32>
  %r = kernelskill.scan ins(%x : tensor<2x10xf32>) outs(%empty : tensor<2x10xf32>) dimension(1) identity(0.0 : f32) {
  ^bb0(%s: f32, %e: f32):
    %n = arith.addf %s, %e : f32
    kernelskill.yield %n : f32
  } -> tensor<2x10xf32>
  return %r : tensor<2x10xf32>
}

// From the end: the filling comes first, the totals too, and an exclusive scan
// is the inclusive one of all elements but the first.
// CHECK-LABEL: func.func @reverse
// CHECK:         tensor.pad %{{.*}} low[2] high[0]
// CHECK:         tensor.extract_slice %{{.*}}[0, 0] [3, 1] [1, 1]
// CHECK:         tensor.extract_slice %{{.*}}[2] [10] [1]
// CHECK:         tensor.extract_slice %{{.*}}[1] [9] [1]
// CHECK:         tensor.pad %{{.*}} low[0] high[1]
func.func @reverse(%x: tensor<10xi64>) -> tensor<10xi64> {
  %empty = tensor.empty() : tensor<10xi64>
  %r = kernelskill.scan ins(%x : tensor<10xi64>) outs(%empty : tensor<10xi64>) dimension(0) identity(0 : i64) exclusive reverse {
  ^bb0(%s: i64, %e: i64):
    %n = arith.addi %s, %e : i64
    kernelskill.yield %n : i64
  } -> tensor<10xi64>
  return %r : tensor<10xi64>
}

// Short enough: untouched. Seventeen blocks: their totals are split again.
// CHECK-LABEL: func.func @short
// CHECK-COUNT-1: kernelskill.scan
// CHECK-LABEL: func.func @long
// CHECK-COUNT-4: kernelskill.scan
// CHECK-NOT:   kernelskill.scan
func.func @short(%x: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %r = kernelskill.scan ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) dimension(0) identity(1.0 : f32) {
  ^bb0(%s: f32, %e: f32):
    %n = arith.mulf %s, %e : f32
    kernelskill.yield %n : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @long(%x: tensor<68xf32>) -> tensor<68xf32> {
  %empty = tensor.empty() : tensor<68xf32>
  %r = kernelskill.scan ins(%x : tensor<68xf32>) outs(%empty : tensor<68xf32>) dimension(0) identity(0.0 : f32) {
  ^bb0(%s: f32, %e: f32):
    %n = arith.addf %s, %e : f32
    kernelskill.yield %n : f32
  } -> tensor<68xf32>
  return %r : tensor<68xf32>
}
