// RUN: kernelskill-opt %s --split-input-file --kernelskill-canonicalize-payload --kernelskill-form-dispatches | FileCheck %s

// A reduction over a loop of extent 1 is pointwise; what follows fuses with it.
// CHECK-LABEL: func.func @unit
// CHECK: call @dispatch_0
// CHECK-NOT: call
// CHECK: func.func private @dispatch_0
// CHECK: arith.minnumf
// CHECK: arith.maximumf
func.func @unit(%x: tensor<1x3xf32>) -> tensor<f32> {
  %big = arith.constant 10000.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%big : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %least = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : tensor<1x3xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.minnumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %small = arith.constant -10000.0 : f32
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%small : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]} ins(%least : tensor<3xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Each value is used by the next two: fusion ends, with bodies of bounded size.
// CHECK-LABEL: func.func @reuse
// CHECK: call @dispatch_0
// CHECK: return
func.func @reuse(%x0: tensor<8xf32>, %x1: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %x2 = linalg.mul ins(%x0, %x1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x3 = linalg.mul ins(%x1, %x2 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x4 = linalg.mul ins(%x2, %x3 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x5 = linalg.mul ins(%x3, %x4 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x6 = linalg.mul ins(%x4, %x5 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x7 = linalg.mul ins(%x5, %x6 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x8 = linalg.mul ins(%x6, %x7 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x9 = linalg.mul ins(%x7, %x8 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x10 = linalg.mul ins(%x8, %x9 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x11 = linalg.mul ins(%x9, %x10 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x12 = linalg.mul ins(%x10, %x11 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x13 = linalg.mul ins(%x11, %x12 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x14 = linalg.mul ins(%x12, %x13 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x15 = linalg.mul ins(%x13, %x14 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x16 = linalg.mul ins(%x14, %x15 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x17 = linalg.mul ins(%x15, %x16 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x18 = linalg.mul ins(%x16, %x17 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x19 = linalg.mul ins(%x17, %x18 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x20 = linalg.mul ins(%x18, %x19 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x21 = linalg.mul ins(%x19, %x20 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x22 = linalg.mul ins(%x20, %x21 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x23 = linalg.mul ins(%x21, %x22 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x24 = linalg.mul ins(%x22, %x23 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %x25 = linalg.mul ins(%x23, %x24 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %x25 : tensor<8xf32>
}
