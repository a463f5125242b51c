// RUN: kernelskill-opt %s --kernelskill-lower-to-ptx -o /dev/null | FileCheck %s --check-prefix=PTX
// RUN: kernelskill-opt %s --kernelskill-lower-to-cpu="checks=0" | FileCheck %s --check-prefix=CPU

// Square roots and divisions are rounded correctly on both; the rest is
// libdevice's there and the C library's here, half types by way of f32.

// PTX: sqrt.rn.f32
// PTX: div.rn.f32
// PTX: clz.b32
// PTX: sqrt.rn.f64
// PTX-NOT: call

// CPU: llvm.intr.sqrt({{.*}}) : (f32) -> f32
// CPU: llvm.fdiv
// CPU: llvm.call @erfcf
// CPU: llvm.call @fmodf
// CPU: llvm.call @expf
// CPU: llvm.fptrunc {{.*}} : f32 to bf16
// CPU: llvm.intr.ctlz
// CPU: llvm.intr.smax
// CPU: llvm.intr.sqrt({{.*}}) : (f64) -> f64
gpu.module @k {
  gpu.func @f(%x: memref<1024xf32>, %b: memref<1024xbf16>, %d: memref<1024xf64>, %n: memref<1024xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<1024xf32>
    %root = math.sqrt %v : f32
    %ratio = arith.divf %root, %v : f32
    %erfc = math.erfc %ratio : f32
    %rest = arith.remf %erfc, %v : f32
    memref.store %rest, %x[%i] : memref<1024xf32>
    %bv = memref.load %b[%i] : memref<1024xbf16>
    %exp = math.exp %bv : bf16
    memref.store %exp, %b[%i] : memref<1024xbf16>
    %nv = memref.load %n[%i] : memref<1024xi32>
    %zeros = math.ctlz %nv : i32
    %abs = math.absi %zeros : i32
    memref.store %abs, %n[%i] : memref<1024xi32>
    %dv = memref.load %d[%i] : memref<1024xf64>
    %droot = math.sqrt %dv : f64
    memref.store %droot, %d[%i] : memref<1024xf64>
    gpu.return
  }
}
