// LLVM's back end ends the process on an operation that the chip lacks; here it
// is an error.
// RUN: not kernelskill-opt %s --kernelskill-lower-to-ptx="chip=sm_90a" -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: LLVM's back end gave up: Cannot select: {{.*}}tcgen05
gpu.module @k {
  gpu.func @blackwell_only() kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
    nvvm.tcgen05.wait <load>
    gpu.return
  }
}
