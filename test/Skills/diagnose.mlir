// The time that each bottleneck holds a kernel back, from the model or, where a
// run has told, from what was measured; and what was not known.
// RUN: kernelskill-opt %s --kernelskill-diagnose --remark-format=emitRemark --remarks-filter=kernelskill-diagnose 2>&1 >/dev/null | FileCheck %s --check-prefix=UNKNOWN
// RUN: kernelskill-opt %s --kernelskill-diagnose | FileCheck %s

// UNKNOWN: time: not measured, the analytic model's estimate is used
// UNKNOWN: gpu.func @estimated
// UNKNOWN: registers: not assembled
// UNKNOWN: counters: not read, the model's terms are used
// UNKNOWN-NOT: gpu.func @measured
// UNKNOWN: kernel 'gather': some accesses or trip counts are not known, so there is no estimate

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @estimated
  // CHECK-SAME: #kernelskill.diagnosis<time_us = {{[0-9.]+}}, bound_us = 6.991, estimated, [uncoalesced_access =
  gpu.func @estimated(%x: memref<2048x2048xf32>, %y: memref<2048x2048xf32>) kernel attributes {
      known_block_size = array<i32: 32, 8, 1>, known_grid_size = array<i32: 64, 256, 1>} {
    %i = gpu.global_id x
    %j = gpu.global_id y
    %v = memref.load %x[%i, %j] : memref<2048x2048xf32>
    memref.store %v, %y[%i, %j] : memref<2048x2048xf32>
    gpu.return
  }
  // Half of the time the memory was busy, and it moved all that has to be moved.
  // CHECK-LABEL: gpu.func @measured
  // CHECK-SAME: #kernelskill.diagnosis<time_us = 40, bound_us = 6.991, measured, [dram_bandwidth = 13.01,
  gpu.func @measured(%x: memref<4194304xf32>, %y: memref<4194304xf32>) kernel attributes {
      known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16384, 1, 1>,
      kernelskill.features = #kernelskill.features<registers_per_thread = 16, time_us = 40, dram_throughput_pct = 50,
        l2_throughput_pct = 30, sm_throughput_pct = 10, long_scoreboard_stall_pct = 40, achieved_occupancy_pct = 90>} {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<4194304xf32>
    memref.store %v, %y[%i] : memref<4194304xf32>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @gather
  // CHECK-SAME: #kernelskill.diagnosis<time_us = unknown, bound_us = unknown, estimated, []>
  gpu.func @gather(%at: memref<1024xindex>, %x: memref<1024xf32>, %y: memref<1024xf32>) kernel attributes {
      known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %i = gpu.global_id x
    %j = memref.load %at[%i] : memref<1024xindex>
    %v = memref.load %x[%j] : memref<1024xf32>
    memref.store %v, %y[%i] : memref<1024xf32>
    gpu.return
  }
}
