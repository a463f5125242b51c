// RUN: kernelskill-opt %s --kernelskill-lower-to-cpu | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-lower-to-cpu="checks=0" | FileCheck %s --check-prefix=FAST

// CHECK-DAG: llvm.func @ks_cpu_load(!llvm.ptr, !llvm.ptr, i32, i32)
// CHECK-DAG: llvm.func @ks_cpu_barrier(!llvm.ptr, i32)

// CHECK-LABEL: llvm.func @kernel(%arg0: !llvm.ptr, %arg1: !llvm.ptr)
// CHECK-SAME: lower-to-cpu.mlir:[[@LINE+29]]:10: vector.load
// CHECK-SAME: gpu.barrier
// CHECK: llvm.getelementptr %arg0[48]
// CHECK: llvm.getelementptr %arg0[12]
// CHECK: llvm.call @ks_cpu_load(%arg0, %[[ADDRESS:[0-9]+]],
// CHECK-NEXT: llvm.load %[[ADDRESS]] {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.call @tanhf
// CHECK: llvm.intr.sqrt
// CHECK: llvm.call @ks_cpu_store
// CHECK: llvm.call @ks_cpu_barrier
// CHECK: llvm.call @ks_cpu_atomic
// CHECK-NEXT: llvm.atomicrmw fadd
// CHECK: llvm.call @ks_cpu_shuffle
// CHECK: llvm.call @ks_cpu_vote
// CHECK-NOT: nvvm
// CHECK: llvm.func @tanhf(f32) -> f32
// CHECK-NOT: __nv_
// FAST-NOT: ks_cpu_load
// FAST: ks_cpu_barrier
gpu.module @k {
  gpu.func @kernel(%x: memref<64x128xf32>, %y: memref<64x128xf32>, %sum: memref<1xf32>)
      workgroup(%w: memref<32xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 64, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%b, %i] {alignment = 16 : i64} : memref<64x128xf32>, vector<4xf32>
    %first = vector.extract %v[0] : f32 from vector<4xf32>
    %tanh = math.tanh %first : f32
    %root = math.sqrt %tanh : f32
    memref.store %root, %w[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c31, %t : index
    %u = memref.load %w[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    %old = memref.atomic_rmw addf %u, %sum[%c0] : (f32, memref<1xf32>) -> f32
    %all = gpu.subgroup_reduce add %u : (f32) -> f32
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %all, %zero : f32
    %mask = arith.constant -1 : i32
    %votes = nvvm.vote.sync ballot %mask, %positive -> i32
    %float = arith.sitofp %votes : i32 to f32
    memref.store %float, %y[%b, %t] : memref<64x128xf32>
    gpu.return
  }
}
