// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(kernelskill-promote,func.func(kernelskill-error-scale,kernelskill-block-sums),kernelskill-oracle-pipeline)' | FileCheck %s

// The mean of squared differences: elementwise work fused, sums level by level,
// scalars in a kernel of their own, results as out-arguments with their scales
// and without what is said of them.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    memref<256x512xf64> {kernelskill.argument = #kernelskill.argument<"p", input, uniform>}
// CHECK-SAME:    memref<256x512xf64>
// CHECK-SAME:    %[[R:.*]]: memref<f64> {kernelskill.result}, %[[E:.*]]: memref<f64> {kernelskill.result})
// CHECK-NOT:     scf.
// CHECK-NOT:     memref.load
// CHECK:         gpu.launch_func @forward_kernels::@forward_0 blocks in (%c512, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK:         return
// CHECK:       gpu.module @forward_kernels
// CHECK:         gpu.func @forward_0(%{{.*}}: memref<256x512xf64> {llvm.noalias, llvm.readonly}, {{.*}} memref<256x512xf64> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 512, 1, 1>}
func.func @forward(%p: tensor<256x512xf32> {kernelskill.argument = #kernelskill.argument<"p", input, uniform>}, %t: tensor<256x512xf32>) -> (tensor<f32> {kernelskill.buffer = "mean"}) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 131072.0 : f32
  %big = tensor.empty() : tensor<256x512xf32>
  %small = tensor.empty() : tensor<f32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %t : tensor<256x512xf32>, tensor<256x512xf32>) outs(%big : tensor<256x512xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    %q = arith.mulf %s, %s : f32
    linalg.yield %q : f32
  } -> tensor<256x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%small : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%d : tensor<256x512xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.addf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%s : tensor<f32>) outs(%small : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %u = arith.divf %a, %n : f32
    linalg.yield %u : f32
  } -> tensor<f32>
  return %m : tensor<f32>
}
