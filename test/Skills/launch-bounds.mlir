// Chosen where registers keep warps out, as ptxas and a run have told; refused
// where values spill, and where nothing keeps warps out.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Passed] launch-bounds | {{.*}}chosen: serves occupancy, which holds back {{[0-9.]+}} us of 400 us measured
// PLAN: kernelskill.plan = #kernelskill.plan<"launch-bounds",
gpu.module @kernels {
  gpu.func @square(%x: memref<4194304xf32>, %y: memref<4194304xf32>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16384, 1, 1>,
      kernelskill.features = #kernelskill.features<registers_per_thread = 128, spill_bytes = 0, time_us = 400>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<4194304xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<4194304xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: [Missed] launch-bounds | {{.*}}is vetoed: {{.*}}spill_bytes, gt, 0
gpu.module @kernels {
  gpu.func @square(%x: memref<4194304xf32>, %y: memref<4194304xf32>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16384, 1, 1>,
      kernelskill.features = #kernelskill.features<registers_per_thread = 128, spill_bytes = 24, time_us = 400>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<4194304xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<4194304xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: [Missed] launch-bounds | {{.*}}its gate fails: occupancy_fraction is 1, not lt 0.75
gpu.module @kernels {
  gpu.func @square(%x: memref<4194304xf32>, %y: memref<4194304xf32>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16384, 1, 1>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<4194304xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%i] : memref<4194304xf32>
    gpu.return
  }
}
