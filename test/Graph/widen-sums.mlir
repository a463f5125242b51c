// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-widen-sums),canonicalize)' --split-input-file | FileCheck %s

// Products and their sum in f32, from zero; one rounding behind.
// CHECK-LABEL: func.func @contraction
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[START:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x16xbf16>, tensor<16x8xbf16>) outs(%[[START]] : tensor<4x8xf32>)
// CHECK:         ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[RUNNING:.*]]: f32):
// CHECK-DAG:       %[[X:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK-DAG:       %[[Y:.*]] = arith.extf %[[B]] : bf16 to f32
// CHECK:           %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK:           %[[S:.*]] = arith.addf %[[P]], %[[RUNNING]] : f32
// CHECK:           linalg.yield %[[S]] : f32
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<4x8xf32>)
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
func.func @contraction(%x: tensor<4x16xbf16>, %y: tensor<16x8xbf16>) -> tensor<4x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<4x8xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4x16xbf16>, tensor<16x8xbf16>) outs(%i : tensor<4x8xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %s: bf16):
    %p = arith.mulf %a, %b : bf16
    %t = arith.addf %p, %s : bf16
    linalg.yield %t : bf16
  } -> tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}

// -----

// A start that is computed is widened, too; what is computed before the sum
// stays in the payload's type.
// CHECK-LABEL: func.func @started
// CHECK:         %[[START:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4xf16>)
// CHECK:           arith.extf %{{.*}} : f16 to f32
// CHECK:         linalg.generic {{.*}} outs(%[[START]] : tensor<4xf32>)
// CHECK:           %[[T:.*]] = math.tanh %{{.*}} : f16
// CHECK:           %[[W:.*]] = arith.extf %[[T]] : f16 to f32
// CHECK:           arith.addf %[[W]], %{{.*}} : f32
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @started(%x: tensor<4x16xf16>, %start: tensor<4xf16>) -> tensor<4xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x16xf16>) outs(%start : tensor<4xf16>) {
  ^bb0(%a: f16, %s: f16):
    %t = math.tanh %a : f16
    %u = arith.addf %s, %t : f16
    linalg.yield %u : f16
  } -> tensor<4xf16>
  return %r : tensor<4xf16>
}

// -----

// Maxima do not round, products are no sums, and f32 is wide enough.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     extf
// CHECK:         return
func.func @others(%x: tensor<16xbf16>, %y: tensor<16xf32>, %start: tensor<bf16>, %start32: tensor<f32>) -> (tensor<bf16>, tensor<bf16>, tensor<f32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<16xbf16>) outs(%start : tensor<bf16>) {
  ^bb0(%a: bf16, %s: bf16):
    %u = arith.maximumf %a, %s : bf16
    linalg.yield %u : bf16
  } -> tensor<bf16>
  %p = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<16xbf16>) outs(%start : tensor<bf16>) {
  ^bb0(%a: bf16, %s: bf16):
    %u = arith.mulf %a, %s : bf16
    linalg.yield %u : bf16
  } -> tensor<bf16>
  %q = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} ins(%y : tensor<16xf32>) outs(%start32 : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %u = arith.addf %a, %s : f32
    linalg.yield %u : f32
  } -> tensor<f32>
  return %r, %p, %q : tensor<bf16>, tensor<bf16>, tensor<f32>
}
