// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --split-input-file | FileCheck %s
// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-narrow-variances),canonicalize)' --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#d = affine_map<(d0) -> (d0)>

// The form of a front end: two passes in f64 become two passes in f32.

// CHECK-LABEL: func.func @variance
// CHECK-NOT: f64
// CHECK: arith.subf {{.*}} : f32
// CHECK-NOT: f64
// CHECK: return
func.func @variance(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %n = arith.constant 8.0 : f64
  %e = tensor.empty() : tensor<4x8xf64>
  %r = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%r : tensor<4xf64>) -> tensor<4xf64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f32, %o: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %0 = arith.addf %in, %o : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %m = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%s : tensor<4xf64>) outs(%r : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %0 = arith.divf %in, %n : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %m : tensor<4x8xf64>, tensor<4xf64>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f64, %mean: f64, %o: f64):
    %0 = arith.subf %in, %mean : f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %c : tensor<4x8xf64>, tensor<4x8xf64>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f64, %same: f64, %o: f64):
    %0 = arith.mulf %in, %same : f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %t = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%q : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %0 = arith.addf %in, %o : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %v = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%t : tensor<4xf64>) outs(%r : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %0 = arith.divf %in, %n : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %out = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%v : tensor<4xf64>) outs(%out : tensor<4xf32>) {
  ^bb0(%in: f64, %o: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A sum in f64 is what the payload asks for.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#d = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @sum
// CHECK: arith.addf {{.*}} : f64
func.func @sum(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<4x8xf64>
  %r = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%r : tensor<4xf64>) -> tensor<4xf64>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf64>) {
  ^bb0(%in: f32, %o: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<4x8xf64>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %0 = arith.addf %in, %o : f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %out = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel"]} ins(%s : tensor<4xf64>) outs(%out : tensor<4xf32>) {
  ^bb0(%in: f64, %o: f32):
    %0 = arith.truncf %in : f64 to f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
