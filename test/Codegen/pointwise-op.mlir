// RUN: kernelskill-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#column = affine_map<(i, j) -> (i)>
#t = affine_map<(i, j) -> (j, i)>
#one = affine_map<(i, j) -> ()>

module attributes {transform.with_named_sequence} {
  // Equal shapes are one loop: two vectors a thread, both loaded before the first
  // store, and the last tile element by element.
  // CHECK-LABEL: func.func private @relu(%{{.*}}: memref<100x129xf32>, %{{.*}}: memref<100x129xf32>)
  // CHECK:         gpu.launch_func @relu_kernels::@relu_0 blocks in (%c7{{.*}}) threads in (%c256
  // CHECK-LABEL:   gpu.func @relu_0
  // CHECK-SAME:      {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<100x129xf32> {llvm.align = 16 : i64, llvm.noalias})
  // CHECK-SAME:      kernel attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdef">, known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 7, 1, 1>}
  // CHECK:         scf.if
  // CHECK-COUNT-2:   vector.load %{{.*}} {alignment = 16 : i64} : memref<12900xf32>, vector<4xf32>
  // CHECK-COUNT-2:   vector.store
  // CHECK:         else
  // CHECK:           scf.for
  // CHECK:             memref.load
  func.func private @relu(%x: tensor<100x129xf32>) -> tensor<100x129xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdef">} {
    %e = tensor.empty() : tensor<100x129xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<100x129xf32>) outs(%e : tensor<100x129xf32>) {
    ^bb0(%a: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %m = arith.maximumf %a, %z : f32
      linalg.yield %m : f32
    } -> tensor<100x129xf32>
    return %0 : tensor<100x129xf32>
  }

  // What does not depend on the innermost loop is loaded once a vector, a
  // transposed operand element by element; an index differs between lanes.
  // CHECK-LABEL:   gpu.func @broadcasts_0
  // CHECK:           memref.load %{{.*}} : memref<64xf32>
  // CHECK:           vector.load %{{.*}} {alignment = 16 : i64} : memref<32xf32>, vector<4xf32>
  // CHECK:           memref.load %{{.*}} : memref<1xf32>
  // CHECK-COUNT-4:   memref.load %{{.*}} : memref<2048xf32>
  // CHECK:           vector.from_elements {{.*}} : vector<4xf32>
  // CHECK:           vector.from_elements {{.*}} : vector<4xindex>
  // CHECK-COUNT-4:   memref.store {{.*}} : memref<2048xi1>
  func.func private @broadcasts(%c: tensor<64xf32>, %r: tensor<32xf32>, %s: tensor<f32>, %t: tensor<32x64xf32>) -> tensor<64x32xi1> {
    %e = tensor.empty() : tensor<64x32xi1>
    %0 = linalg.generic {indexing_maps = [#column, #row, #one, #t, #id], iterator_types = ["parallel", "parallel"]}
        ins(%c, %r, %s, %t : tensor<64xf32>, tensor<32xf32>, tensor<f32>, tensor<32x64xf32>) outs(%e : tensor<64x32xi1>) {
    ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %o: i1):
      %j = linalg.index 1 : index
      %k = arith.index_cast %j : index to i32
      %l = arith.sitofp %k : i32 to f32
      %0 = arith.addf %a, %b : f32
      %1 = arith.mulf %0, %d : f32
      %2 = arith.addf %1, %f : f32
      %3 = arith.cmpf olt, %2, %l : f32
      linalg.yield %3 : i1
    } -> tensor<64x32xi1>
    return %0 : tensor<64x32xi1>
  }

  // Callers stay on tensors.
  // CHECK-LABEL: func.func @main
  // CHECK:         %[[IN:.*]] = bufferization.to_buffer %{{.*}} read_only
  // CHECK:         %[[OUT:.*]] = memref.alloc() : memref<100x129xf32>
  // CHECK:         call @relu(%[[IN]], %[[OUT]])
  // CHECK:         bufferization.to_tensor %[[OUT]] restrict writable
  func.func @main(%x: tensor<100x129xf32>) -> tensor<100x129xf32> {
    %0 = call @relu(%x) : (tensor<100x129xf32>) -> tensor<100x129xf32>
    return %0 : tensor<100x129xf32>
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %relu, %broadcasts, %main = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %w = transform.param.constant 4 : i64 -> !transform.param<i64>
    %b = transform.param.constant 256 : i64 -> !transform.param<i64>
    %n = transform.param.constant 2 : i64 -> !transform.param<i64>
    transform.kernelskill.pointwise %relu vector_width = %w block_size = %b items_per_thread = %n : !transform.any_op
    %c = transform.param.constant 64 : i64 -> !transform.param<i64>
    %o = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.kernelskill.pointwise %broadcasts vector_width = %w block_size = %c items_per_thread = %o : !transform.any_op
    transform.yield
  }
}
