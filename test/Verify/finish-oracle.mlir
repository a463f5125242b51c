// RUN: kernelskill-opt %s --kernelskill-oracle-pipeline | FileCheck %s

// Kernels that are equal but for their names are kept once; one that differs in
// a constant is not theirs.
// CHECK-LABEL: func.func @three
// CHECK:         gpu.launch_func @three_kernels::@[[SAME:three_[0-9]+]]
// CHECK:         gpu.launch_func @three_kernels::@[[SAME]]
// CHECK:         gpu.launch_func @three_kernels::@[[OTHER:three_[0-9]+]]
// CHECK:         gpu.func @[[SAME]]
// CHECK:         gpu.func @[[OTHER]]
// CHECK-NOT:     gpu.func
func.func @three(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.tanh ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
