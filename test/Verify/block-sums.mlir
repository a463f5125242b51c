// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-block-sums))' | FileCheck %s
// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-block-sums{max-results=1000}))' | FileCheck %s --check-prefix=FEW

// A long sum: blocks of elements that lie apart, level by level.
// CHECK-LABEL: func.func @sum
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [128, 8192] : tensor<1048576xf32> into tensor<128x8192xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : tensor<128x8192xf32>) outs(%{{.*}} : tensor<8192xf32>)
// CHECK:         tensor.expand_shape %{{.*}} : tensor<8192xf32> into tensor<128x64xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<128x64xf32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<64xf32>) outs(%{{.*}} : tensor<f32>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
// FEW-LABEL: func.func @sum
// FEW:         tensor.expand_shape
func.func @sum(%x: tensor<1048576xf32>) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.addf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// A size without a fitting divisor: the remainder first, as initial value of the
// rest. The innermost parallel loop stays the fastest.
// CHECK-LABEL: func.func @matmul
// CHECK:         tensor.extract_slice %{{.*}}[0, 1024] [300, 7] [1, 1]
// CHECK:         %[[TAIL:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<300x7xf32>, tensor<7x400xf32>)
// CHECK:         %[[PARTIAL:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<300x128x8xf32>, tensor<128x8x400xf32>) outs(%{{.*}} : tensor<300x8x400xf32>)
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[PARTIAL]] : tensor<300x8x400xf32>) outs(%[[TAIL]] : tensor<300x400xf32>)
// FEW-LABEL: func.func @matmul
// FEW:         linalg.matmul
func.func @matmul(%x: tensor<300x1031xf32>, %y: tensor<1031x400xf32>) -> tensor<300x400xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300x400xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<300x400xf32>) -> tensor<300x400xf32>
  %r = linalg.matmul ins(%x, %y : tensor<300x1031xf32>, tensor<1031x400xf32>) outs(%f : tensor<300x400xf32>) -> tensor<300x400xf32>
  return %r : tensor<300x400xf32>
}

// A convolution: the window whole, the channels in part.
// CHECK-LABEL: func.func @conv
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x8x64x16x16xf32>, tensor<64x8x64x3x3xf32>) outs(%{{.*}} : tensor<{{.*}}xf32>)
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x64x14x14xf32>)
func.func @conv(%x: tensor<2x512x16x16xf32>, %w: tensor<64x512x3x3xf32>) -> tensor<2x64x14x14xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<2x64x14x14xf32>) -> tensor<2x64x14x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x512x16x16xf32>, tensor<64x512x3x3xf32>) outs(%f : tensor<2x64x14x14xf32>) -> tensor<2x64x14x14xf32>
  return %r : tensor<2x64x14x14xf32>
}

// A reduced dimension that is kept, and a maximum with its own neutral element.
// CHECK-LABEL: func.func @max
// CHECK:         arith.constant 0xFF800000 : f32
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x1x127xf32>)
func.func @max(%x: tensor<4x1024x127xf32>, %init: tensor<4x1x127xf32>) -> tensor<4x1x127xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, 0, k)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x1024x127xf32>) outs(%init : tensor<4x1x127xf32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.maximumf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<4x1x127xf32>
  return %r : tensor<4x1x127xf32>
}

// Short chains, and bodies that are no reduction by one operation, stay.
// CHECK-LABEL: func.func @stays
// CHECK-NOT:     expand_shape
// CHECK:         return
func.func @stays(%x: tensor<8x128xf32>, %y: tensor<1000xf32>, %i: tensor<8xf32>, %j: tensor<f32>) -> (tensor<8xf32>, tensor<f32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x128xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.addf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%y : tensor<1000xf32>) outs(%j : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.mulf %a, %b : f32
    %v = arith.addf %u, %a : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %r, %s : tensor<8xf32>, tensor<f32>
}
