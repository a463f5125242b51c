// RUN: kernelskill-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(kernelskill-round-products{format=bf16}))' | FileCheck %s
// RUN: kernelskill-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(kernelskill-round-products{format=tf32}))' | FileCheck %s --check-prefix=TF32
// RUN: kernelskill-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(kernelskill-round-products{format=bf16x3}))' | FileCheck %s --check-prefix=SPLIT
// RUN: not kernelskill-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(kernelskill-round-products{format=fp8}))' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: format must be tf32, fp16, bf16 or bf16x3, but is 'fp8'

// CHECK-LABEL: func.func @product
// CHECK: linalg.generic
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CHECK-NEXT: %[[A0:.*]] = arith.truncf %[[A]] : f32 to bf16
// CHECK-NEXT: %[[A1:.*]] = arith.extf %[[A0]]
// CHECK-NEXT: %[[B0:.*]] = arith.truncf %[[B]] : f32 to bf16
// CHECK-NEXT: %[[B1:.*]] = arith.extf %[[B0]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A1]], %[[B1]]
// CHECK-NEXT: arith.addf %[[C]], %[[P]]

// To nearest, ties to even, on the bits; NaN is kept.
// TF32-LABEL: func.func @product
// TF32: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
// TF32: arith.shrui %[[BITS]]
// TF32: arith.andi
// TF32: %[[ROUNDED:.*]] = arith.bitcast %{{.*}} : i32 to f32
// TF32: %[[NAN:.*]] = arith.cmpf uno
// TF32: arith.select %[[NAN]], %{{.*}}, %[[ROUNDED]]

// Three products; one where a part is not finite.
// SPLIT-LABEL: func.func @product
// SPLIT-COUNT-3: arith.mulf
// SPLIT: %[[FINITE:.*]] = arith.andi
// SPLIT: %[[WHOLE:.*]] = arith.mulf
// SPLIT: arith.select %[[FINITE]], %{{.*}}, %[[WHOLE]]
func.func @product(%x: tensor<4x8xf32>, %y: tensor<8x6xf32>, %o: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x6xf32>) outs(%o : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func.func @convolution
// CHECK-COUNT-2: arith.truncf {{.*}} : f32 to bf16
func.func @convolution(%x: tensor<1x2x9xf32>, %w: tensor<4x2x3xf32>, %o: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x2x9xf32>, tensor<4x2x3xf32>) outs(%o : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  return %r : tensor<1x4x7xf32>
}

// -----

// A fused multiply-add that is a sum's step.
// CHECK-LABEL: func.func @fused
// CHECK-COUNT-2: arith.truncf {{.*}} : f32 to bf16
// CHECK: math.fma
// SPLIT-LABEL: func.func @fused
// SPLIT-NOT: math.fma
// SPLIT: return
func.func @fused(%x: tensor<8xf32>, %y: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = math.fma %a, %b, %c : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Sums of squares, products that are not summed, and products of 16 bits stay.
// CHECK-LABEL: func.func @others
// CHECK-NOT: truncf
// CHECK: return
func.func @others(%x: tensor<8xf32>, %y: tensor<8xf32>, %o: tensor<f32>, %e: tensor<8xf32>,
                  %h: tensor<4x4xf16>) -> (tensor<f32>, tensor<8xf32>, tensor<4x4xf16>) {
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %m = linalg.mul ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = linalg.matmul ins(%h, %h : tensor<4x4xf16>, tensor<4x4xf16>) outs(%h : tensor<4x4xf16>) -> tensor<4x4xf16>
  return %r, %m, %g : tensor<f32>, tensor<8xf32>, tensor<4x4xf16>
}
