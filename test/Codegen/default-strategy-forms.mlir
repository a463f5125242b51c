// RUN: kernelskill-opt %s --transform-interpreter --canonicalize --cse | FileCheck %s

// What is read in place, gathered or scanned.

#x = affine_map<(o, k) -> (o - k + 2)>
#k = affine_map<(o, k) -> (k)>
#o = affine_map<(o, k) -> (o)>
#id = affine_map<(d) -> (d)>

module attributes {transform.with_named_sequence} {
  // Zeros between elements: outside of the bounds and between the elements the
  // padding is chosen, and the address is one of the tensor's.
  // CHECK-LABEL: gpu.func @stuffed_0
  // CHECK:         scf.for
  // CHECK:           arith.remsi
  // CHECK:           %[[INSIDE:.*]] = arith.andi
  // CHECK:           %[[QUOTIENT:.*]] = arith.divsi
  // CHECK:           %[[AT:.*]] = arith.select %[[INSIDE]], %[[QUOTIENT]], %c0
  // CHECK:           %[[VALUE:.*]] = memref.load %{{.*}}[%[[AT]]]
  // CHECK:           arith.select %[[INSIDE]], %[[VALUE]], %cst
  func.func private @stuffed(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<18xf32> {
    %z = arith.constant 0.0 : f32
    %p = tensor.empty() : tensor<20xf32>
    %f = linalg.fill ins(%z : f32) outs(%p : tensor<20xf32>) -> tensor<20xf32>
    %s = tensor.insert_slice %x into %f[2] [8] [2] : tensor<8xf32> into tensor<20xf32>
    %e = tensor.empty() : tensor<18xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<18xf32>) -> tensor<18xf32>
    %0 = linalg.generic {indexing_maps = [#x, #k, #o], iterator_types = ["parallel", "reduction"]}
        ins(%s, %w : tensor<20xf32>, tensor<3xf32>) outs(%i : tensor<18xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %m = arith.mulf %a, %b : f32
      %t = arith.addf %acc, %m : f32
      linalg.yield %t : f32
    } -> tensor<18xf32>
    return %0 : tensor<18xf32>
  }

  // CHECK-LABEL: gpu.func @gather_0
  // CHECK:         %[[ROW:.*]] = arith.index_cast
  // CHECK:         memref.load %{{.*}}[%[[ROW]]]
  func.func private @gather(%at: tensor<6xi64>, %x: tensor<9xf32>) -> tensor<6xf32> {
    %e = tensor.empty() : tensor<6xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%at : tensor<6xi64>) outs(%e : tensor<6xf32>) {
    ^bb0(%in: i64, %o: f32):
      %i = arith.index_cast %in : i64 to index
      %v = tensor.extract %x[%i] : tensor<9xf32>
      linalg.yield %v : f32
    } -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }

  // From the last element to the first, the sum before each is stored.
  // CHECK-LABEL: gpu.func @scan_0
  // CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c1 iter_args(%[[SUM:.*]] = %cst)
  // CHECK:           arith.subi %{{.*}}, %[[I]]
  // CHECK:           %[[ELEMENT:.*]] = memref.load %{{.*}}[%[[AT:.*]]]
  // CHECK:           %[[NEXT:.*]] = arith.addf %[[SUM]], %[[ELEMENT]]
  // CHECK:           %[[OUT:.*]] = arith.addf %[[SUM]], %cst
  // CHECK:           memref.store %[[OUT]], %{{.*}}[%[[AT]]]
  // CHECK:           scf.yield %[[NEXT]]
  func.func private @scan(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = kernelskill.scan ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) dimension(1) identity(0.0 : f32) exclusive reverse {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      kernelskill.yield %c : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.kernelskill.default_strategy %f : !transform.any_op
    transform.yield
  }
}
