// RUN: kernelskill-opt %s --kernelskill-canonicalize-payload --split-input-file --verify-diagnostics

// expected-error @below {{a payload has exactly one public function, but this module has 0}}
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
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{operation 'tensor.pad' is not supported in a payload yet}}
  // expected-note @below {{supported are elementwise operations, transposes, broadcasts, reductions, contractions and reshapes}}
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

func.func @convolution(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error @below {{operation 'linalg.conv_2d_nchw_fchw' is not supported in a payload yet}}
  // expected-note @below {{supported are}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%out : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// -----

func.func @window(%x: tensor<8xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is no projected permutation: windows and strided accesses are not supported yet}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @gather(%x: tensor<8xf32>, %at: tensor<4xi64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: i64, %o: f32):
    %i = arith.index_cast %in : i64 to index
    // expected-error @below {{operation 'tensor.extract' is not supported in a payload yet}}
    // expected-note @below {{supported are}}
    %v = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
