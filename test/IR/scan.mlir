// RUN: kernelskill-opt %s -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// The input is still needed, so the result must not overwrite it.
// CHECK-LABEL: func.func @reverse_sums(
// CHECK-SAME: %[[X:.*]]: memref<4x8xf32>
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<4x8xf32>
// CHECK: kernelskill.scan ins(%[[X]] : memref<4x8xf32>) outs(%[[OUT]] : memref<4x8xf32>) dimension(1) identity(0.000000e+00 : f32) exclusive reverse {
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[ELEMENT:.*]]: f32):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[ELEMENT]] : f32
// CHECK-NEXT: kernelskill.yield %[[NEXT]] : f32
// CHECK-NEXT: }
// CHECK: return %[[OUT]], %[[X]]
func.func @reverse_sums(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %empty = tensor.empty() : tensor<4x8xf32>
  %sums = kernelskill.scan ins(%x : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>)
      dimension(1) identity(0.0 : f32) exclusive reverse {
  ^bb0(%sum: f32, %element: f32):
    %next = arith.addf %sum, %element : f32
    kernelskill.yield %next : f32
  } -> tensor<4x8xf32>
  return %sums, %x : tensor<4x8xf32>, tensor<4x8xf32>
}
