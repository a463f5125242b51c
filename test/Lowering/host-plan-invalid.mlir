// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics --kernelskill-lower-to-program="cubin=0 cpu=0"

// What the host function of the kernel stage may hold, one rule a piece.

func.func @main(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'memref.load' is not allowed in the kernel stage's host function}}
  %v = memref.load %x[%c0] : memref<4xf32>
  return
}

// -----

// expected-error @+1 {{argument 0 must be a memref, but is 'tensor<4xf32>'}}
func.func @main(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 0 must have a static shape, but is 'memref<?xf32>'}}
func.func @main(%x: memref<?xf32>) {
  return
}

// -----

// expected-error @+1 {{argument 0 must have the identity layout, but is 'memref<4xf32, strided<[2]>>'}}
func.func @main(%x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error @+1 {{argument 0 must have elements of i1, i8, i16, i32, i64, f16, bf16, f32 or f64, but is 'memref<4xindex>'}}
func.func @main(%x: memref<4xindex>) {
  return
}

// -----

// expected-error @+1 {{argument 1 comes after a result, but lacks 'kernelskill.result'}}
func.func @main(%x: memref<4xf32> {kernelskill.result}, %y: memref<4xf32>) {
  return
}

// -----

// expected-error @+1 {{must return nothing: results are out-arguments}}
func.func @main(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}

// -----

// expected-note @+1 {{the first is here}}
func.func @main() {
  return
}
// expected-error @+1 {{a second public function; the kernel stage has one}}
func.func @other() {
  return
}

// -----

func.func @main(%x: memref<4x4xf32>, %y: memref<4x2xf32> {kernelskill.result}) {
  // expected-error @+1 {{a view in the kernel stage's host function must be static and contiguous, but is 'memref<4x2xf32, strided<[4, 1]>>'}}
  %v = memref.subview %x[0, 0] [4, 2] [1, 1] : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  memref.copy %v, %y : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32>
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  // expected-error @+1 {{'memref_missing' does not reference a valid global memref}}
  %v = memref.get_global @memref_missing : memref<4xf32>
  return
}

// -----

// expected-error @+1 {{must have a dense constant as its value}}
memref.global "private" @table : memref<4xf32> = uninitialized
func.func @main(%y: memref<4xf32> {kernelskill.result}) {
  %v = memref.get_global @table : memref<4xf32>
  memref.copy %v, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

module attributes {gpu.container_module} {
  func.func @main(%x: memref<1xindex>) {
    return
  }
  // expected-error @-3 {{argument 0 must have elements of}}
}

// -----

module attributes {gpu.container_module} {
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {kernelskill.result}) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-error @+1 {{launches a block of 2x1x1, but the kernel's known_block_size is 4x1x1}}
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c2, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
  gpu.module @k {
    gpu.func @f(%x: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %s = arith.constant 1.0 : f32
    // expected-error @+1 {{'arith.negf' is not allowed in the kernel stage's host function}}
    %n = arith.negf %s : f32
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%n : f32)
    return
  }
  gpu.module @k {
    gpu.func @f(%x: f32) kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @main(%x: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{an asynchronous launch is not allowed in the kernel stage's host function}}
    %t = gpu.launch_func async @k::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xf32>)
    return
  }
  gpu.module @k {
    gpu.func @f(%x: memref<4xf32>) kernel {
      gpu.return
    }
  }
}

// -----

gpu.module @k {
  // expected-error @+1 {{a kernel that no host function launches needs 'known_grid_size'}}
  gpu.func @f(%x: memref<4xf32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @k {
  // expected-error @+1 {{argument 0 of a kernel that no host function launches must be a memref, but is 'f32'}}
  gpu.func @f(%x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    gpu.return
  }
}

// -----

// expected-error @+1 {{the module has neither a public function nor a kernel}}
module {
}

// -----

// expected-error @+1 {{the module has no public function that launches its 2 kernels}}
module {
  gpu.module @k {
    // expected-note @+1 {{a kernel}}
    gpu.func @f() kernel {
      gpu.return
    }
    // expected-note @+1 {{a kernel}}
    gpu.func @g() kernel {
      gpu.return
    }
  }
}
