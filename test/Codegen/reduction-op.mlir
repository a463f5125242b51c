// RUN: kernelskill-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

#in = affine_map<(b, k, n) -> (b, k, n)>
#out = affine_map<(b, k, n) -> (b, n)>
#id = affine_map<(b, n) -> (b, n)>
#row = affine_map<(b, k) -> (b)>
#all = affine_map<(b, k) -> ()>

module attributes {transform.with_named_sequence} {
  // Over a middle axis: neighbouring threads take neighbouring columns, four lanes
  // share a column through shared memory, eight loads are in flight, and the
  // epilogue is part of the kernel. 1000 rows are 31 tiles of 32 and 8 rows.
  // CHECK-LABEL: gpu.func @middle_0
  // CHECK-SAME:    workgroup(%[[SHARED:.*]] : memref<256xf32, #gpu.address_space<workgroup>>
  // CHECK:         %[[TILES:.*]]:8 = scf.for %{{.*}} = %c0 to %c31 step %c1
  // CHECK-COUNT-8:   memref.load
  // CHECK-COUNT-8:   arith.addf
  // CHECK:         arith.addf %[[TILES]]#0, %[[TILES]]#1
  // CHECK:         scf.for %{{.*}} to %c1000 step %c4
  // CHECK:         memref.store %{{.*}}, %[[SHARED]]
  // CHECK:         gpu.barrier
  // CHECK-COUNT-4:   memref.load %[[SHARED]]
  // CHECK:           arith.divf
  // CHECK:           memref.store %{{.*}} : memref<126xf32>
  func.func private @middle(%x: tensor<2x1000x63xf32>) -> tensor<2x63xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x63xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x63xf32>) -> tensor<2x63xf32>
    %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<2x1000x63xf32>) outs(%i : tensor<2x63xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<2x63xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%r : tensor<2x63xf32>) outs(%e : tensor<2x63xf32>) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.constant 1000.0 : f32
      %s = arith.divf %a, %c : f32
      linalg.yield %s : f32
    } -> tensor<2x63xf32>
    return %0 : tensor<2x63xf32>
  }

  // A warp a row: vectors along the row, shuffles, no shared memory.
  // CHECK-LABEL: gpu.func @rows_0
  // CHECK-NOT:     workgroup
  // CHECK:         scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>)
  // CHECK-COUNT-2:   vector.load %{{.*}} {alignment = 16 : i64}
  // CHECK:           arith.maximumf {{.*}} : vector<4xf32>
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT:     gpu.barrier
  // CHECK:         gpu.return
  func.func private @rows(%x: tensor<64x1024xf32>) -> tensor<64xf32> {
    %z = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<64xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<64x1024xf32>) outs(%i : tensor<64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.maximumf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }

  // Everything: 40 parts, whose sums a second kernel adds. One part has 164 tiles:
  // its loop starts anew every 128, so that no chain of additions is longer.
  // CHECK-LABEL: func.func private @full
  // CHECK:         %[[PARTS:.*]] = memref.alloc() : memref<40xf32>
  // CHECK:         gpu.launch_func @full_kernels::@full_0 blocks in (%c40{{.*}} args({{.*}}, %[[PARTS]] : memref<40xf32>)
  // CHECK:         gpu.launch_func @full_kernels::@full_1 blocks in (%c1{{.*}} args(%[[PARTS]] : memref<40xf32>
  // CHECK-LABEL: gpu.func @full_0
  // CHECK:         scf.for {{.*}} step %c128
  // CHECK:           scf.for {{.*}} step %c1 {{.*}} -> (vector<4xf32>)
  // CHECK-COUNT-2:     vector.load
  // CHECK:             arith.subf {{.*}} : vector<4xf32>
  // CHECK:         gpu.shuffle xor
  // CHECK-LABEL: gpu.func @full_1
  // CHECK:         memref.load %{{.*}} : memref<40xf32>
  func.func private @full(%x: tensor<1025x819xf32>, %y: tensor<1025x819xf32>) -> tensor<f32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<f32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [#id, #id, #all], iterator_types = ["reduction", "reduction"]}
        ins(%x, %y : tensor<1025x819xf32>, tensor<1025x819xf32>) outs(%i : tensor<f32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %d = arith.subf %a, %b : f32
      %q = arith.mulf %d, %d : f32
      %s = arith.addf %q, %o : f32
      linalg.yield %s : f32
    } -> tensor<f32>
    return %0 : tensor<f32>
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %middle, %rows, %full = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %2 = transform.param.constant 2 : i64 -> !transform.param<i64>
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %40 = transform.param.constant 40 : i64 -> !transform.param<i64>
    %256 = transform.param.constant 256 : i64 -> !transform.param<i64>
    transform.kernelskill.reduction %middle block_size = %256 lanes = %4 vector_width = %1 unroll = %8 split = %1 : !transform.any_op
    transform.kernelskill.reduction %rows block_size = %256 lanes = %32 vector_width = %4 unroll = %2 split = %1 : !transform.any_op
    transform.kernelskill.reduction %full block_size = %32 lanes = %32 vector_width = %4 unroll = %1 split = %40 : !transform.any_op
    transform.yield
  }
}
