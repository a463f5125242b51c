// CUDA's limits of blocks and grids, each broken once.
// RUN: kernelskill-opt %s --kernelskill-verify-stage=stage=kernel --split-input-file --verify-diagnostics

gpu.module @m {
  // expected-error @below {{'known_block_size' must be from 1 to 1024 along x, but is 0}}
  gpu.func @k(%x: memref<8xf32>) kernel attributes {known_block_size = array<i32: 0, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @below {{'known_grid_size' must be from 1 to 65535 along y, but is 65536}}
  gpu.func @k(%x: memref<8xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 1, 65536, 1>} { gpu.return }
}

// -----

gpu.module @m {
  // expected-error @below {{a block has at most 1024 threads, but 'known_block_size' makes 2048}}
  gpu.func @k(%x: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 64, 1>, known_grid_size = array<i32: 1, 1, 1>} { gpu.return }
}
