// RUN: kernelskill-opt %s --kernelskill-bufferize-host --split-input-file | FileCheck %s

// The result of a dispatch is written in place, also behind a reshape; the
// buffer between two dispatches is allocated; attributes of arguments stay.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>},
// CHECK-SAME: %[[UNUSED:.*]]: memref<f32>,
// CHECK-SAME: %[[OUT:.*]]: memref<4x1x8xf32> {kernelskill.result}) {
// CHECK: %[[ROW:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]] : memref<4x8xf32> into memref<32xf32>
// CHECK: %[[T:.*]] = memref.alloc() : memref<32xf32>
// CHECK: call @dispatch_0(%[[ROW]], %[[T]])
// CHECK: %[[V:.*]] = memref.collapse_shape %[[OUT]] {{\[\[}}0, 1], [2]] : memref<4x1x8xf32> into memref<4x8xf32>
// CHECK: %[[W:.*]] = memref.collapse_shape %[[V]] {{\[\[}}0, 1]] : memref<4x8xf32> into memref<32xf32>
// CHECK-NEXT: call @dispatch_0(%[[T]], %[[W]])
// CHECK-NEXT: return{{$}}
func.func @chain(%x: tensor<4x8xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>},
                 %unused: tensor<f32>) -> tensor<4x1x8xf32> {
  %row = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %0 = bufferization.to_buffer %row read_only : tensor<32xf32> to memref<32xf32>
  %a = memref.alloc() : memref<32xf32>
  call @dispatch_0(%0, %a) : (memref<32xf32>, memref<32xf32>) -> ()
  %1 = bufferization.to_tensor %a restrict writable : memref<32xf32> to tensor<32xf32>
  %2 = bufferization.to_buffer %1 read_only : tensor<32xf32> to memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  call @dispatch_0(%2, %b) : (memref<32xf32>, memref<32xf32>) -> ()
  %3 = bufferization.to_tensor %b restrict writable : memref<32xf32> to tensor<32xf32>
  %4 = tensor.expand_shape %3 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %5 = tensor.expand_shape %4 [[0, 1], [2]] output_shape [4, 1, 8] : tensor<4x8xf32> into tensor<4x1x8xf32>
  return %5 : tensor<4x1x8xf32>
}
func.func private @dispatch_0(memref<32xf32>, memref<32xf32>)

// -----

// Arguments that are results are copied, and so is a result that is returned
// twice, once as it is and once in another shape.

// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xi64>,
// CHECK-SAME: %[[A:[^:]*]]: memref<4xi64> {kernelskill.result},
// CHECK-SAME: %[[B:[^:]*]]: memref<4xi64> {kernelskill.result},
// CHECK-SAME: %[[C:[^:]*]]: memref<4xi64> {kernelskill.result},
// CHECK-SAME: %[[D:[^:]*]]: memref<2x2xi64> {kernelskill.result}) {
// CHECK-NOT: memref.alloc
// CHECK: call @dispatch_0(%[[X]], %[[B]])
// CHECK: %[[SQUARE:.*]] = memref.expand_shape %[[B]] {{\[\[}}0, 1]] output_shape [2, 2]
// CHECK: memref.copy %[[X]], %[[A]]
// CHECK: memref.copy %[[B]], %[[C]]
// CHECK: memref.copy %[[SQUARE]], %[[D]]
func.func @copies(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<2x2xi64>) {
  %0 = bufferization.to_buffer %x read_only : tensor<4xi64> to memref<4xi64>
  %a = memref.alloc() : memref<4xi64>
  call @dispatch_0(%0, %a) : (memref<4xi64>, memref<4xi64>) -> ()
  %1 = bufferization.to_tensor %a restrict writable : memref<4xi64> to tensor<4xi64>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2] : tensor<4xi64> into tensor<2x2xi64>
  return %x, %1, %1, %2 : tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<2x2xi64>
}
func.func private @dispatch_0(memref<4xi64>, memref<4xi64>)

// -----

// A constant becomes a global.

// CHECK: memref.global "private" constant @__constant_2xf16 : memref<2xf16> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-LABEL: func.func @constant(
// CHECK-SAME: %[[OUT:.*]]: memref<2xf16> {kernelskill.result}) {
// CHECK: %[[C:.*]] = memref.get_global @__constant_2xf16 : memref<2xf16>
// CHECK: call @dispatch_0(%[[C]], %[[OUT]])
func.func @constant() -> tensor<2xf16> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %0 = bufferization.to_buffer %c read_only : tensor<2xf16> to memref<2xf16>
  %a = memref.alloc() : memref<2xf16>
  call @dispatch_0(%0, %a) : (memref<2xf16>, memref<2xf16>) -> ()
  %1 = bufferization.to_tensor %a restrict writable : memref<2xf16> to tensor<2xf16>
  return %1 : tensor<2xf16>
}
func.func private @dispatch_0(memref<2xf16>, memref<2xf16>)

// -----

// What is said of a result is said of the argument that it becomes.
// CHECK-LABEL: func.func @said(
// CHECK-SAME: memref<2xf16> {kernelskill.result, test.note = "a"}) {
func.func @said(%x: tensor<2xf16>) -> (tensor<2xf16> {test.note = "a"}) {
  return %x : tensor<2xf16>
}
