// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --split-input-file --verify-diagnostics

// expected-error @below {{a payload has exactly one public function, but this module has 0}}
// expected-note @below {{make the function to compile public, or pass a module with a gpu.module of kernels}}
module {
  func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @below {{argument 0 of type 'tensor<?xf32>' has a dynamic shape: give every extent a number}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{argument 0 of type 'tensor<4294967296x4294967296xf32>' has more elements than any memory: check its extents}}
func.func @huge(%x: tensor<4294967296x4294967296xf32>) -> tensor<4xf32> {
  %e = arith.constant dense<0.0> : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// expected-error @below {{argument 1 of type 'tensor<0x4xf32>' has no elements: remove what computes it}}
func.func @empty(%x: tensor<4xf32>, %y: tensor<0x4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 of type 'tensor<4xcomplex<f32>>' has an element type that kernels don't know}}
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  return %x : tensor<4xcomplex<f32>>
}

// -----

// expected-error @below {{argument 0 of type 'memref<4xf32>' is no ranked tensor}}
func.func @memref(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

// expected-error @below {{a payload returns at least one tensor}}
func.func @nothing(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @below {{a payload has no control flow: its function must be a single block}}
func.func @branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

func.func @pad(%x: tensor<4xf32>) -> tensor<6xf32> {
  // expected-error @below {{operation 'tensor.pad' is not supported in a payload yet}}
  // expected-note @below {{supported are elementwise operations, reductions, contractions, convolutions, scans, and operations that move data, all of static shape}}
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @halves(%x: tensor<8xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @below {{is not linear: of loops only sums of multiples are supported}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 floordiv 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%in: f32, %o: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
