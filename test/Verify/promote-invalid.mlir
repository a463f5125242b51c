// RUN: kernelskill-opt %s --kernelskill-promote --split-input-file --verify-diagnostics

func.func @bits(%x: f32) -> i32 {
  // expected-error @below {{a bitcast of floats can't be promoted to f64}}
  %r = arith.bitcast %x : f32 to i32
  return %r : i32
}

// -----

func.func @resource() -> tensor<2xf32> {
  // expected-error @below {{float data in a dense resource can't be promoted to f64; pass it as an argument}}
  %r = arith.constant dense_resource<weights> : tensor<2xf32>
  return %r : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F0000803F"
    }
  }
#-}

// -----

func.func @view(%x: memref<64xi8>, %i: index) -> memref<8xf32> {
  // expected-error @below {{a byte-addressed view of floats can't be promoted to f64}}
  %r = memref.view %x[%i][] : memref<64xi8> to memref<8xf32>
  return %r : memref<8xf32>
}

// -----

func.func @hardware(%x: f32) -> f32 {
  // expected-error @below {{an operation of the nvvm dialect on floats has no double-precision form}}
  %r = nvvm.rcp.approx.ftz.f %x : f32
  return %r : f32
}
