// Chosen for a kernel that waits for one load after the other; vetoed where a
// thread has many registers already.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Passed] unroll-loops | {{.*}}chosen: serves memory_latency, which holds back
// PLAN: kernelskill.plan = #kernelskill.plan<"unroll-loops", "{{[0-9a-f]+}}", [{factor = 8 : i64},
gpu.module @kernels {
  gpu.func @columns(%x: memref<512x4096xf32>, %y: memref<4096xf32>) kernel attributes {
      known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %i = gpu.global_id x
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
      %v = memref.load %x[%k, %i] : memref<512x4096xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %sum, %y[%i] : memref<4096xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: [Missed] launch-bounds | {{.*}}nothing that it serves (occupancy) holds the kernel back
// CHECK: remark: [Missed] unroll-loops | {{.*}}is vetoed: {{.*}}registers_per_thread, gt, 96
gpu.module @kernels {
  gpu.func @columns(%x: memref<512x4096xf32>, %y: memref<4096xf32>) kernel attributes {
      known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 32, 1, 1>,
      kernelskill.features = #kernelskill.features<registers_per_thread = 168>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant 512 : index
    %zero = arith.constant 0.0 : f32
    %i = gpu.global_id x
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> f32 {
      %v = memref.load %x[%k, %i] : memref<512x4096xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %sum, %y[%i] : memref<4096xf32>
    gpu.return
  }
}
