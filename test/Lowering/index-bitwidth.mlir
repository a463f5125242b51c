// RUN: kernelskill-opt %s --split-input-file --kernelskill-lower-to-cpu="checks=0" | FileCheck %s

// The type of the address computation tells which width was chosen.

// Bounded ids: the linear index fits in 32 bits.
// CHECK-LABEL: llvm.func @narrow
// CHECK: llvm.getelementptr {{.*}}(!llvm.ptr, i32)
gpu.module @k {
  gpu.func @narrow(%x: memref<4096x4096xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4096, 16, 1>} {
    %row = gpu.block_id x
    %block = gpu.block_id y
    %thread = gpu.thread_id x
    %c256 = arith.constant 256 : index
    %first = arith.muli %block, %c256 : index
    %column = arith.addi %first, %thread : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%row, %column] : memref<4096x4096xf32>
    gpu.return
  }
}

// -----

// 2^32 elements.
// CHECK-LABEL: llvm.func @large_buffer
// CHECK: llvm.getelementptr {{.*}}(!llvm.ptr, i64)
gpu.module @k {
  gpu.func @large_buffer(%x: memref<65536x65536xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 256, 1, 1>} {
    %row = gpu.block_id x
    %column = gpu.thread_id x
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%row, %column] : memref<65536x65536xf32>
    gpu.return
  }
}

// -----

// A small buffer, but a product on the way that does not fit.
// CHECK-LABEL: llvm.func @large_product
// CHECK: llvm.getelementptr {{.*}}(!llvm.ptr, i64)
gpu.module @k {
  gpu.func @large_product(%x: memref<65536xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 65536, 1, 1>} {
    %block = gpu.block_id x
    %c1 = arith.constant 1 : index
    %c65537 = arith.constant 65537 : index
    %product = arith.muli %block, %c65537 : index
    %c65536 = arith.constant 65536 : index
    %i = arith.remui %product, %c65536 : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%i] : memref<65536xf32>
    gpu.return
  }
}

// -----

// A loop's bounds bound its variable.
// CHECK-LABEL: llvm.func @loop
// CHECK: llvm.getelementptr {{.*}}(!llvm.ptr, i32)
gpu.module @k {
  gpu.func @loop(%x: memref<65536xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %thread = gpu.thread_id x
    %c256 = arith.constant 256 : index
    %c65536 = arith.constant 65536 : index
    %zero = arith.constant 0.0 : f32
    scf.for %i = %thread to %c65536 step %c256 {
      memref.store %zero, %x[%i] : memref<65536xf32>
    }
    gpu.return
  }
}

// -----

// An unsigned operation on what may be negative.
// CHECK-LABEL: llvm.func @negative
// CHECK: llvm.getelementptr {{.*}}(!llvm.ptr, i64)
gpu.module @k {
  gpu.func @negative(%x: memref<65536xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %thread = gpu.thread_id x
    %c128 = arith.constant 128 : index
    %c1000 = arith.constant 1000 : index
    %difference = arith.subi %thread, %c128 : index
    %i = arith.remui %difference, %c1000 : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %x[%i] : memref<65536xf32>
    gpu.return
  }
}
