// The strategy `contraction`: tiles by way of shared memory, sums in registers,
// a second set of sums after each chain, the epilogue before the store.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --canonicalize | FileCheck %s

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#identity = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func private @dispatch_0
  // CHECK-SAME:    (%{{.*}}: memref<256x512xf32>, %{{.*}}: memref<512x128xf32>, %{{.*}}: memref<128xf32>, %{{.*}}: memref<256x128xf32>)
  // CHECK: gpu.launch_func @dispatch_0_kernels::@dispatch_0_0 blocks in (%c4, %c1, %c1) threads in (%c128, %c1, %c1)

  // The tile of A is padded (it is transposed on the way), two stages.
  // CHECK: gpu.func @dispatch_0_0
  // CHECK-SAME: workgroup(%[[A:[a-z0-9]+]] : memref<4224xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64},
  // CHECK-SAME: %[[B:[a-z0-9]+]] : memref<2048xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
  // CHECK-SAME: known_grid_size = array<i32: 4, 1, 1>
  // CHECK-SAME: nvvm.minctasm = 3
  // Tile 0 to shared memory, tile 1 to registers, before the loops.
  // CHECK-COUNT-6: vector.load {{.*}} {alignment = 16 : i64} : memref<{{.*}}xf32>, vector<4xf32>
  // CHECK-COUNT-16: memref.store %{{.*}}, %[[A]]
  // CHECK-COUNT-2: vector.store %{{.*}}, %[[B]]
  // CHECK-COUNT-6: vector.load
  // CHECK: gpu.barrier
  // Chains of 16 tiles, 32 in all.
  // CHECK: scf.for {{.*}} = %c0 to %c32 step %c16
  // CHECK: scf.for {{.*}} step %c1
  // CHECK: vector.load %[[A]]
  // CHECK: math.fma
  // CHECK: gpu.barrier
  // CHECK: scf.yield
  // CHECK-COUNT-64: arith.addf {{.*}} : f32
  // CHECK: scf.yield
  // All sizes are multiples of the tiles: nothing is guarded.
  // CHECK-NOT: scf.if
  // The epilogue by vectors.
  // CHECK: arith.addf {{.*}} : vector<4xf32>
  // CHECK: arith.maximumf {{.*}} : vector<4xf32>
  // CHECK: vector.store {{.*}} {alignment = 16 : i64}
  // CHECK: gpu.return
  func.func private @dispatch_0(%x: tensor<256x512xf32>, %w: tensor<512x128xf32>, %bias: tensor<128xf32>) -> tensor<256x128xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<256x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x128xf32>) -> tensor<256x128xf32>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<256x512xf32>, tensor<512x128xf32>) outs(%init : tensor<256x128xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %product = arith.mulf %p, %q : f32
      %sum = arith.addf %s, %product : f32
      linalg.yield %sum : f32
    } -> tensor<256x128xf32>
    %last = linalg.generic {indexing_maps = [#identity, #column, #identity], iterator_types = ["parallel", "parallel"]}
        ins(%root, %bias : tensor<256x128xf32>, tensor<128xf32>) outs(%empty : tensor<256x128xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %sum = arith.addf %p, %q : f32
      %limit = arith.constant 0.0 : f32
      %relu = arith.maximumf %sum, %limit : f32
      linalg.yield %relu : f32
    } -> tensor<256x128xf32>
    return %last : tensor<256x128xf32>
  }
  func.func @main(%x: tensor<256x512xf32>, %w: tensor<512x128xf32>, %bias: tensor<128xf32>) -> tensor<256x128xf32> {
    %r = call @dispatch_0(%x, %w, %bias) : (tensor<256x512xf32>, tensor<512x128xf32>, tensor<128xf32>) -> tensor<256x128xf32>
    return %r : tensor<256x128xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} in %root : (!transform.any_op) -> !transform.any_op
    %128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    %64 = transform.param.constant 64 : i64 -> !transform.param<i64>
    %16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    %256 = transform.param.constant 256 : i64 -> !transform.param<i64>
    %3 = transform.param.constant 3 : i64 -> !transform.param<i64>
    transform.kernelskill.contraction %f tile_m = %128 tile_n = %64 tile_k = %16
        thread_m = %8 thread_n = %8 stages = %2 group = %8 chain = %256
        min_blocks = %3 : !transform.any_op
    transform.yield
  }
}

// -----

// Odd sizes, A transposed (its tile is copied as it lies), C transposed (the
// operands change places), one chain, one stage.
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (n, m)>

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: gpu.func @dispatch_1_0
  // CHECK-SAME: workgroup(%[[A:[a-z0-9]+]] : memref<512xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[B:[a-z0-9]+]] : memref<512xf32,
  // CHECK-NOT: vector.load {{.*}} : memref<{{[0-9]+}}xf32>, vector
  // The last products are guarded, the last rows read again.
  // CHECK: arith.minui
  // CHECK: scf.if {{.*}} -> (f32)
  // CHECK: scf.for
  // CHECK-NOT: scf.for
  // CHECK: scf.if
  // CHECK: memref.store
  func.func private @dispatch_1(%x: tensor<37x29xf32>, %w: tensor<37x31xf32>) -> tensor<31x29xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<31x29xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<31x29xf32>) -> tensor<31x29xf32>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<37x29xf32>, tensor<37x31xf32>) outs(%init : tensor<31x29xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %product = arith.mulf %p, %q : f32
      %sum = arith.addf %s, %product : f32
      linalg.yield %sum : f32
    } -> tensor<31x29xf32>
    return %root : tensor<31x29xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %16 = transform.param.constant 16 : i64 -> !transform.param<i64>
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %2048 = transform.param.constant 2048 : i64 -> !transform.param<i64>
    transform.kernelskill.contraction %f tile_m = %32 tile_n = %32 tile_k = %16
        thread_m = %4 thread_n = %4 stages = %1 group = %1 chain = %2048
        min_blocks = %1 : !transform.any_op
    transform.yield
  }
}

// -----

// Where it does not apply the dispatch stays as it is.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func private @no_product(%{{.*}}: tensor<64x64xf32>
  // CHECK: linalg.generic
  // CHECK-NOT: gpu.launch_func
  func.func private @no_product(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<reduction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %difference = arith.subf %p, %q : f32
      %sum = arith.addf %s, %difference : f32
      linalg.yield %sum : f32
    } -> tensor<64x64xf32>
    return %root : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%module: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
      %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
      %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
      %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
      transform.kernelskill.contraction %f tile_m = %32 tile_n = %32 tile_k = %32
          thread_m = %4 thread_n = %4 stages = %1 group = %1 chain = %32
          min_blocks = %1 : !transform.any_op
    }
    transform.yield
  }
}
