// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics --kernelskill-lower-to-program="cubin=0"

// Operations that a kernel can't hold, on either back end.

gpu.module @k {
  gpu.func @unknown_operation(%x: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    // expected-error @+1 {{'tensor.empty' is not supported in a kernel: it has no lowering to LLVM}}
    %t = tensor.empty() : tensor<4xf32>
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'tensor.extract' is not supported in a kernel: it has no lowering to LLVM}}
    %v = tensor.extract %t[%c0] : tensor<4xf32>
    memref.store %v, %x[%c0] : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @gpu_only(%x: memref<4xi32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'nvvm.read.ptx.sreg.smid' is not supported on the CPU device}}
    %sm = nvvm.read.ptx.sreg.smid : i32
    memref.store %sm, %x[%c0] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @second_barrier(%x: memref<4xi32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %one = arith.constant 1 : i32
    // expected-error @+1 {{'nvvm.barrier' is not supported on the CPU device}}
    nvvm.barrier id = %one
    gpu.return
  }
}

// -----

gpu.module @k {
  func.func @recursive(%n: i32) -> i32 {
    %one = arith.constant 1 : i32
    %less = arith.subi %n, %one : i32
    %r = func.call @recursive(%less) : (i32) -> i32
    return %r : i32
  }
  gpu.func @recursion(%x: memref<4xi32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %n = memref.load %x[%c0] : memref<4xi32>
    // expected-error @+1 {{'recursive' is not supported on the CPU device}}
    %r = func.call @recursive(%n) : (i32) -> i32
    memref.store %r, %x[%c0] : memref<4xi32>
    gpu.return
  }
}
