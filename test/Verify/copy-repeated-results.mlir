// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-copy-repeated-results))' --split-input-file | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-oracle-pipeline --split-input-file | FileCheck %s --check-prefix=PIPELINE

// What is returned twice becomes two buffers.
// CHECK-LABEL: func.func @twice
// CHECK:         %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[X:.*]]) : tensor<4xf32>
// CHECK:         return %[[X]], %[[COPY]]
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// Equal results that upstream's CSE makes one value of, as a zero and its scale.
// PIPELINE-LABEL: func.func @zeros
// PIPELINE-SAME:    (%[[FIRST:.*]]: memref<4xf32> {{.*}}, %[[SECOND:.*]]: memref<4xf32>
// PIPELINE:         gpu.launch_func {{.*}} args(%[[FIRST]] : memref<4xf32>)
// PIPELINE:         memref.copy %[[FIRST]], %[[SECOND]]
func.func @zeros() -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %c = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%c : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %zero, %fill : tensor<4xf32>, tensor<4xf32>
}
