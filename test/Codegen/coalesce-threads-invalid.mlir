// Where threads can't be given other work, `coalesce_threads` says why.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --verify-diagnostics

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @fine(%x: memref<8x32xf32>, %y: memref<8x32xf32>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %column = gpu.thread_id x
      %row = gpu.thread_id y
      %element = memref.load %x[%row, %column] : memref<8x32xf32>
      memref.store %element, %y[%row, %column] : memref<8x32xf32>
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not applicable: a warp touches 8 sectors of memory now, and 16 with x and y interchanged; the block is not one-dimensional}}
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}

// -----

// A prefix sum: an iteration reads what the one before it wrote.
module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @prefix(%x: memref<2048xf32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c15 = arith.constant 15 : index
      %thread = gpu.thread_id x
      %first = arith.muli %thread, %c15 : index
      scf.for %i = %c0 to %c15 step %c1 {
        %at = arith.addi %first, %i : index
        %next = arith.addi %at, %c1 : index
        %a = memref.load %x[%at] : memref<2048xf32>
        %b = memref.load %x[%next] : memref<2048xf32>
        %sum = arith.addf %a, %b : f32
        memref.store %sum, %x[%next] : memref<2048xf32>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{what is written is accessed at another index too}}
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}

// -----

// The loop's number goes into the data.
module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @numbered(%x: memref<2048xi32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %thread = gpu.thread_id x
      %first = arith.muli %thread, %c16 : index
      scf.for %i = %c0 to %c16 step %c1 {
        %at = arith.addi %first, %i : index
        %number = arith.index_cast %i : index to i32
        memref.store %number, %x[%at] : memref<2048xi32>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'memref.store' uses the number of the thread or of the iteration other than as an index}}
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}

// -----

// What the thread read before the loop belongs to its chunk.
module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // expected-note @below {{the payload op}}
    gpu.func @scaled(%x: memref<2048xf32>, %scales: memref<128xf32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %thread = gpu.thread_id x
      %first = arith.muli %thread, %c16 : index
      %scale = memref.load %scales[%thread] : memref<128xf32>
      scf.for %i = %c0 to %c16 step %c1 {
        %at = arith.addi %first, %i : index
        %a = memref.load %x[%at] : memref<2048xf32>
        %b = arith.mulf %a, %scale : f32
        memref.store %b, %x[%at] : memref<2048xf32>
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'arith.mulf' uses the number of the thread or of the iteration other than as an index}}
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}
