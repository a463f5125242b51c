// RUN: kernelskill-opt %s --kernelskill-lower-to-cpu="checks=0" | FileCheck %s

// What neither device has becomes comparisons, products and a loop.

// CHECK-LABEL: llvm.func @f
// CHECK: llvm.fcmp "uno"
// CHECK: llvm.intr.fabs
// CHECK: llvm.fcmp "oeq"
// CHECK: llvm.intr.smax
// The power: squares, a product where a bit is set, and for negative exponents
// 0 unless the base is 1 or -1.
// CHECK: llvm.mul
// CHECK: llvm.mul
// CHECK: llvm.lshr
// CHECK: llvm.select
gpu.module @k {
  gpu.func @f(%x: memref<32xf32>, %n: memref<32xi32>, %p: memref<32xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    %i = gpu.thread_id x
    %v = memref.load %x[%i] : memref<32xf32>
    %nan = math.isnan %v : f32
    memref.store %nan, %p[%i] : memref<32xi1>
    %inf = math.isinf %v : f32
    memref.store %inf, %p[%i] : memref<32xi1>
    %a = memref.load %n[%i] : memref<32xi32>
    %abs = math.absi %a : i32
    %power = math.ipowi %abs, %a : i32
    memref.store %power, %n[%i] : memref<32xi32>
    gpu.return
  }
}
