// Chosen for a kernel whose neighbouring threads are rows apart, and mends it;
// refused where accesses are coalesced.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %source/examples/uncoalesced.mlir --kernelskill-plan="skills=%skills output=%t.mlir" -o %t.out
// RUN: kernelskill-opt %source/examples/uncoalesced.mlir --kernelskill-apply-recipe="recipe=%t.mlir" --kernelskill-extract-features | FileCheck %s --check-prefix=AFTER
// AFTER: coalesced_fraction = 1,

// CHECK: remark: [Passed] coalesce-threads | {{.*}}chosen: serves uncoalesced_access, which holds back
gpu.module @kernels {
  gpu.func @scale(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) kernel
      attributes {known_block_size = array<i32: 32, 32, 1>, known_grid_size = array<i32: 128, 128, 1>} {
    %row = gpu.global_id x
    %column = gpu.global_id y
    %v = memref.load %x[%row, %column] : memref<4096x4096xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%row, %column] : memref<4096x4096xf32>
    gpu.return
  }
}

// -----

// CHECK: remark: [Missed] coalesce-threads | {{.*}}its gate fails: coalesced_fraction is 1, not lt 0.9
gpu.module @kernels {
  gpu.func @scale(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) kernel
      attributes {known_block_size = array<i32: 32, 32, 1>, known_grid_size = array<i32: 128, 128, 1>} {
    %row = gpu.global_id y
    %column = gpu.global_id x
    %v = memref.load %x[%row, %column] : memref<4096x4096xf32>
    %w = arith.mulf %v, %v : f32
    memref.store %w, %y[%row, %column] : memref<4096x4096xf32>
    gpu.return
  }
}
