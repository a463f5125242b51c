// RUN: kernelskill-opt %s -split-input-file -verify-diagnostics

func.func @shape(%x: tensor<4x8xf32>, %y: tensor<4x7xf32>) -> tensor<4x7xf32> {
  // expected-error @below {{must have outs of the input's shape and element type, but reads 'tensor<4x8xf32>' and writes 'tensor<4x7xf32>'}}
  %r = kernelskill.scan ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x7xf32>) dimension(1) identity(0.0 : f32) {
  ^bb0(%a: f32, %e: f32):
    kernelskill.yield %a : f32
  } -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
}

// -----

func.func @dimension(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{scans dimension 1, but the input has rank 1}}
  %r = kernelskill.scan ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension(1) identity(0.0 : f32) {
  ^bb0(%a: f32, %e: f32):
    kernelskill.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{must have an identity of type 'f32', but it is 0 : i32}}
  %r = kernelskill.scan ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) dimension(0) identity(0 : i32) {
  ^bb0(%a: f32, %e: f32):
    kernelskill.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @region(%x: memref<4xf32>) {
  // expected-error @below {{must have a region with two arguments of type 'f32'}}
  kernelskill.scan ins(%x : memref<4xf32>) outs(%x : memref<4xf32>) dimension(0) identity(0.0 : f32) {
  ^bb0(%a: f32):
    kernelskill.yield %a : f32
  }
  return
}
