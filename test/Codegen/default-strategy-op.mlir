// RUN: kernelskill-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(b, k) -> (b, k)>
#row = affine_map<(b, k) -> (b)>
#conv = affine_map<(o, k) -> (o * 2 + k * 3)>
#window = affine_map<(o, k) -> (k)>

module attributes {transform.with_named_sequence} {
  // One thread a line; a long scan in blocks, each begun anew from the identity.
  // CHECK-LABEL: gpu.func @scan_0
  // CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 2, 1, 1>
  // CHECK:         scf.if
  // CHECK:           scf.for {{.*}} = %c0 to %c300 step %c128 iter_args(%[[BEFORE:.*]] = %[[ZERO:.*]])
  // CHECK:             %[[TOTAL:.*]] = scf.for {{.*}} step %c1 iter_args(%[[OLD:.*]] = %[[ZERO]])
  // CHECK:               %[[SUM:.*]] = arith.addf %[[OLD]],
  // CHECK:               %[[OUT:.*]] = arith.addf %[[BEFORE]], %[[SUM]]
  // CHECK:               memref.store %[[OUT]]
  // CHECK:             arith.addf %[[BEFORE]], %[[TOTAL]]
  func.func private @scan(%x: tensor<300x500xf32>) -> tensor<300x500xf32> {
    %e = tensor.empty() : tensor<300x500xf32>
    %0 = kernelskill.scan ins(%x : tensor<300x500xf32>) outs(%e : tensor<300x500xf32>) dimension(0) identity(0.0 : f32) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %a, %b : f32
      kernelskill.yield %n : f32
    } -> tensor<300x500xf32>
    return %0 : tensor<300x500xf32>
  }

  // A warp a result, as its elements are neighbours: 5000 / 8 blocks.
  // CHECK-LABEL: gpu.func @rows_0
  // CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 625, 1, 1>
  // CHECK:         scf.for {{.*}} step %c32
  // CHECK:         gpu.shuffle
  func.func private @rows(%x: tensor<5000x225xf32>) -> tensor<5000xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<5000xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5000xf32>) -> tensor<5000xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5000x225xf32>) outs(%f : tensor<5000xf32>) {
    ^bb0(%a: f32, %s: f32):
      %t = arith.addf %a, %s : f32
      linalg.yield %t : f32
    } -> tensor<5000xf32>
    return %0 : tensor<5000xf32>
  }

  // One thread a result; 300 products in blocks of 128.
  // CHECK-LABEL: gpu.func @product_0
  // CHECK-SAME:    known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 40, 1, 1>
  // CHECK:         scf.if
  // CHECK:           scf.for {{.*}} = %c0 to %c300 step %c128
  // CHECK:             scf.for {{.*}} step %c1
  // CHECK:               arith.mulf
  // CHECK:               arith.addf
  func.func private @product(%x: tensor<100x300xf32>, %y: tensor<300x101xf32>) -> tensor<100x101xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<100x101xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<100x101xf32>) -> tensor<100x101xf32>
    %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<100x300xf32>, tensor<300x101xf32>) outs(%i : tensor<100x101xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<100x101xf32>
    return %0 : tensor<100x101xf32>
  }

  // One thread a result, though the elements of the larger input are neighbours:
  // those of the other are not.
  // CHECK-LABEL: gpu.func @left_0
  // CHECK-NOT:     gpu.shuffle
  // CHECK:         gpu.return
  func.func private @left(%x: tensor<200x300xf32>, %y: tensor<300x101xf32>) -> tensor<200x101xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<200x101xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<200x101xf32>) -> tensor<200x101xf32>
    %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %y : tensor<200x300xf32>, tensor<300x101xf32>) outs(%i : tensor<200x101xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<200x101xf32>
    return %0 : tensor<200x101xf32>
  }

  // Few results and long reductions: a block for each.
  // CHECK-LABEL: gpu.func @few_0
  // CHECK-SAME:    known_grid_size = array<i32: 3, 1, 1>
  // CHECK:         gpu.shuffle xor
  // CHECK:         gpu.barrier
  func.func private @few(%x: tensor<3x5000xf32>) -> tensor<3xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<3xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<3x5000xf32>) outs(%i : tensor<3xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }

  // No commutative combiner (the first of equal maxima counts): in order.
  // CHECK-LABEL: gpu.func @argmax_0
  // CHECK:         scf.for {{.*}} = %c0 to %c5000 step %c1 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, i64)
  func.func private @argmax(%x: tensor<3x5000xf32>) -> (tensor<3xf32>, tensor<3xi64>) {
    %z = arith.constant 0xFF800000 : f32
    %n = arith.constant 0 : i64
    %e = tensor.empty() : tensor<3xf32>
    %g = tensor.empty() : tensor<3xi64>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %j = linalg.fill ins(%n : i64) outs(%g : tensor<3xi64>) -> tensor<3xi64>
    %0:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<3x5000xf32>) outs(%i, %j : tensor<3xf32>, tensor<3xi64>) {
    ^bb0(%a: f32, %o: f32, %p: i64):
      %k = linalg.index 1 : index
      %q = arith.index_cast %k : index to i64
      %c = arith.cmpf ogt, %a, %o : f32
      %v = arith.select %c, %a, %o : f32
      %w = arith.select %c, %q, %p : i64
      linalg.yield %v, %w : f32, i64
    } -> (tensor<3xf32>, tensor<3xi64>)
    return %0#0, %0#1 : tensor<3xf32>, tensor<3xi64>
  }

  // Windows are linear forms like any other; two roots are two kernels with a
  // temporary between them.
  // CHECK-LABEL: func.func private @chain
  // CHECK:         %[[T:.*]] = memref.alloc() : memref<10xf32>
  // CHECK:         @chain_kernels::@chain_0 {{.*}}, %[[T]] : memref<10xf32>)
  // CHECK:         @chain_kernels::@chain_1 {{.*}} args(%[[T]] : memref<10xf32>
  func.func private @chain(%x: tensor<32xf32>, %w: tensor<4xf32>) -> tensor<10x10xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<10xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
    %0 = linalg.generic {indexing_maps = [#conv, #window, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<32xf32>, tensor<4xf32>) outs(%i : tensor<10xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    } -> tensor<10xf32>
    %g = tensor.empty() : tensor<10x10xf32>
    %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%0 : tensor<10xf32>) outs(%g : tensor<10x10xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<10x10xf32>
    return %1 : tensor<10x10xf32>
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.kernelskill.default_strategy %f : !transform.any_op
    transform.yield
  }
}
