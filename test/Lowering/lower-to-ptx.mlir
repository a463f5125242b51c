// RUN: kernelskill-opt %s --kernelskill-lower-to-ptx -o /dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-lower-to-ptx -o /dev/null > %t.1
// RUN: cp %s %t.copy.mlir && kernelskill-opt %t.copy.mlir --kernelskill-lower-to-ptx -o /dev/null > %t.2
// RUN: cmp %t.1 %t.2
// RUN: kernelskill-opt %s --kernelskill-lower-to-ptx="chip=sm_80" -o /dev/null | FileCheck %s --check-prefix=A100
// RUN: kernelskill-opt %s --kernelskill-lower-to-ptx="chip=sm_90 ptx-version=+ptx86" -o /dev/null | FileCheck %s --check-prefix=VERSION

// CHECK: .version 8.0
// CHECK: .target sm_90a
// A100: .version 7.0
// A100: .target sm_80
// VERSION: .version 8.6
// VERSION: .target sm_90

// Aligned vectors of a readonly argument go through the read-only path, and each
// product is rounded before it is added.
// CHECK-LABEL: .visible .entry vectors(
// CHECK: .ptr .align 16 vectors_param_0
// CHECK: .maxntid 256, 1, 1
// CHECK: .shared .align 16 .b8 {{.*}}[1024]
// CHECK: mul.wide.u32
// CHECK: ld.global.nc.v4.b32
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: bar.sync 0
// CHECK: ld.shared.b32
// CHECK: sqrt.rn.f32
// CHECK: div.rn.f32
// CHECK: st.global.v4.b32
// CHECK-NOT: cvt.rn.ftz

// CHECK-LABEL: .visible .entry contracted(
// CHECK: fma.rn.f32
// CHECK-NOT: add.rn.f32
// CHECK: ret;

module attributes {gpu.container_module} {
  func.func @main(%x: memref<1024x1024xf32>, %y: memref<1024x1024xf32> {kernelskill.result}) {
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %s = arith.constant 0.5 : f32
    gpu.launch_func @k::@vectors blocks in (%c1024, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%x : memref<1024x1024xf32>, %y : memref<1024x1024xf32>, %s : f32)
    gpu.launch_func @k::@contracted blocks in (%c1024, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%x : memref<1024x1024xf32>, %y : memref<1024x1024xf32>)
    return
  }
  gpu.module @k {
    gpu.func @vectors(%x: memref<1024x1024xf32> {llvm.noalias, llvm.readonly, llvm.align = 16 : i64},
                      %y: memref<1024x1024xf32> {llvm.noalias, llvm.align = 16 : i64}, %s: f32)
        workgroup(%w: memref<256xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
        kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 1024, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %c4 = arith.constant 4 : index
      %c255 = arith.constant 255 : index
      %i = arith.muli %t, %c4 : index
      %v = vector.load %x[%b, %i] {alignment = 16 : i64} : memref<1024x1024xf32>, vector<4xf32>
      %sv = vector.broadcast %s : f32 to vector<4xf32>
      %m = arith.mulf %v, %sv : vector<4xf32>
      %a = arith.addf %m, %v : vector<4xf32>
      %e = vector.reduction <add>, %a : vector<4xf32> into f32
      memref.store %e, %w[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = arith.subi %c255, %t : index
      %u = memref.load %w[%r] : memref<256xf32, #gpu.address_space<workgroup>>
      %q = math.sqrt %u : f32
      %d = arith.divf %e, %q : f32
      %dv = vector.broadcast %d : f32 to vector<4xf32>
      vector.store %dv, %y[%b, %i] {alignment = 16 : i64} : memref<1024x1024xf32>, vector<4xf32>
      gpu.return
    }
    gpu.func @contracted(%x: memref<1024x1024xf32> {llvm.noalias, llvm.readonly}, %y: memref<1024x1024xf32> {llvm.noalias})
        kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %v = memref.load %x[%b, %t] : memref<1024x1024xf32>
      %m = arith.mulf %v, %v fastmath<contract> : f32
      %a = arith.addf %m, %v fastmath<contract> : f32
      memref.store %a, %y[%b, %t] : memref<1024x1024xf32>
      gpu.return
    }
  }
}
