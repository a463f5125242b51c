// RUN: kernelskill-opt %s --kernelskill-promote | FileCheck %s

// Types, exact literals, and the casts of a variance computed in f64.
// CHECK-LABEL: func.func @variance(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf64> {kernelskill.argument = #kernelskill.argument<"x", input, normal, scale = 2.000000e+00 : f64>}
// CHECK-SAME:    ) -> tensor<4xf64>
func.func @variance(%x: tensor<4xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal, scale = 2.0 : f64>}) -> tensor<4xf32> {
  // CHECK: arith.constant 0.10000000149011612 : f64
  %c = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.generic
  // CHECK: ^bb0(%[[A:.*]]: f64, %{{.*}}: f64):
  // CHECK-NEXT: %[[S:.*]] = arith.mulf %[[A]], %[[A]] : f64
  // CHECK-NEXT: arith.addf %[[S]], %{{.*}} : f64
  // CHECK-NOT: arith.extf
  // CHECK-NOT: arith.truncf
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %w = arith.extf %a : f32 to f64
    %s = arith.mulf %w, %w : f64
    %t = arith.truncf %s : f64 to f32
    %u = arith.addf %t, %c : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// Irrational numbers get their digits back, of either sign; infinities stay.
// CHECK-LABEL: func.func @literals
func.func @literals() -> (f32, f32, f16, tensor<2xf32>) {
  // CHECK-DAG: arith.constant 1.4142135623730951 : f64
  %a = arith.constant 1.41421354 : f32
  // CHECK-DAG: arith.constant -0.79788456080286541 : f64
  %b = arith.constant -0.797884583 : f32
  // CHECK-DAG: arith.constant 0xFFF0000000000000 : f64
  %c = arith.constant 0xFC00 : f16
  // CHECK-DAG: arith.constant dense<[2.500000e-01, 3.1415926535897931]> : tensor<2xf64>
  %d = arith.constant dense<[0.25, 3.14159274]> : tensor<2xf32>
  return %a, %b, %c, %d : f32, f32, f16, tensor<2xf32>
}

// Integers, and gpu.funcs with workgroup memory.
// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME: (%{{.*}}: memref<8xf64>, %{{.*}}: memref<8xi32>) workgroup(%{{.*}} : memref<8xf64, #gpu.address_space<workgroup>>)
gpu.module @m {
  gpu.func @kernel(%x: memref<8xf32>, %i: memref<8xi32>) workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    // CHECK: arith.constant dense<2.000000e+00> : vector<4xf64>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %v = memref.load %x[%t] : memref<8xf32>
    memref.store %v, %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
    vector.store %two, %x[%t] : memref<8xf32>, vector<4xf32>
    gpu.return
  }
}

// In types shorter than f32 a constant is what it says: 2.5 is also what the root
// of 2 pi rounds to in bf16.
// CHECK-LABEL: func.func @short_constant
// CHECK:         arith.constant 2.500000e+00 : f64
func.func @short_constant() -> bf16 {
  %c = arith.constant 2.5 : bf16
  return %c : bf16
}
