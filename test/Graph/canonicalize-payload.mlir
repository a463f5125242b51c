// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --split-input-file | FileCheck %s

// Named operations become generics, in which contractions can still be seen.

// CHECK-LABEL: func.func @named
// CHECK-NOT: linalg.{{(transpose|broadcast|matmul|add|batch_matmul)}}
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: linalg.generic
func.func @named(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>, %c: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x6xf32>
  %t = linalg.transpose ins(%b : tensor<6x8xf32>) outs(%e0 : tensor<8x6xf32>) permutation = [1, 0]
  %e1 = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %w = linalg.broadcast ins(%c : tensor<6xf32>) outs(%e1 : tensor<4x6xf32>) dimensions = [0]
  %s = linalg.add ins(%m, %w : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %s : tensor<4x6xf32>
}

// -----

// The index of a maximum that nobody reads is dropped.

// CHECK-LABEL: func.func @argmax
// CHECK: linalg.generic
// CHECK-SAME: outs(%{{[^,]*}} : tensor<4xf32>)
// CHECK-NOT: arith.select
// CHECK: linalg.yield %{{[^,]*}} : f32
// CHECK-NOT: linalg.generic
func.func @argmax(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xf32>
  %ei = tensor.empty() : tensor<4xi64>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %fi = linalg.fill ins(%zero : i64) outs(%ei : tensor<4xi64>) -> tensor<4xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%f, %fi : tensor<4xf32>, tensor<4xi64>) {
  ^bb0(%in: f32, %out: f32, %best: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %max = arith.maximumf %in, %out : f32
    %is = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %is, %at, %best : i64
    linalg.yield %max, %where : f32, i64
  } -> (tensor<4xf32>, tensor<4xi64>)
  return %m#0 : tensor<4xf32>
}

// -----

// A double scalar is rounded once, to nearest; an integer power is a product;
// a constant tensor operand is a constant in the region.

// CHECK-LABEL: func.func @scalars
// CHECK-DAG: arith.constant 1.000000e-01 : f32
// CHECK-DAG: arith.constant 3.000000e+00 : f32
// CHECK: linalg.generic
// CHECK-SAME: ins(%arg0 : tensor<4xf32>)
// CHECK-NOT: math.fpowi
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @scalars(%x: tensor<4xf32>) -> tensor<4xf32> {
  %tenth = arith.constant 0.1 : f64
  %two = arith.constant 2 : i64
  %three = arith.constant dense<3.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %three : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %s = arith.truncf %tenth : f64 to f32
    %p = math.fpowi %in, %two : f32, i64
    %m = arith.mulf %p, %s : f32
    %a = arith.addf %m, %c : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Loops of extent 1 become reshapes, and these meet and vanish.

// CHECK-LABEL: func.func @keepdim
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-SAME: outs(%{{.*}} : tensor<4x7xf32>)
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [4, 1, 7] : tensor<4x7xf32> into tensor<4x1x7xf32>
func.func @keepdim(%x: tensor<4x9x7xf32>) -> tensor<4x1x7xf32> {
  %zero = arith.constant 0.0 : f32
  %nine = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<4x1x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1x7xf32>) -> tensor<4x1x7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, 0, d2)>],
                       iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<4x9x7xf32>) outs(%f : tensor<4x1x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x1x7xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<4x1x7xf32>) outs(%e : tensor<4x1x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.divf %in, %nine : f32
    linalg.yield %s : f32
  } -> tensor<4x1x7xf32>
  return %1 : tensor<4x1x7xf32>
}

// -----

// A module of kernels is a later stage, and stays as it is.

// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @k
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<4xf32>) kernel {
      gpu.return
    }
  }
}
