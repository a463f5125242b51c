// The refinement `coalesce_threads`: interchanges x and y of a block, or deals
// the iterations of chunks out among the threads.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --canonicalize | FileCheck %s

module attributes {gpu.container_module, transform.with_named_sequence} {
  // CHECK-LABEL: func.func @launch
  // CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
  // CHECK: gpu.launch_func @kernels::@rows blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%[[C8]], %[[C32]], %{{.*}})
  func.func @launch(%x: memref<256x256xf32>, %y: memref<256x256xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@rows blocks in (%c8, %c32, %c1) threads in (%c32, %c8, %c1)
        args(%x : memref<256x256xf32>, %y : memref<256x256xf32>)
    return
  }
  gpu.module @kernels {
    // x of the block indexed rows; now y does.
    // CHECK-LABEL: gpu.func @rows
    // CHECK-SAME: known_block_size = array<i32: 8, 32, 1>
    // CHECK-SAME: known_grid_size = array<i32: 8, 32, 1>
    // CHECK-DAG: %[[ROWS:.*]] = arith.constant 32 : index
    // CHECK-DAG: %[[BX:.*]] = gpu.block_id x
    // CHECK-DAG: %[[TY:.*]] = gpu.thread_id y
    // CHECK-DAG: %[[FIRST:.*]] = arith.muli %[[BX]], %[[ROWS]]
    // CHECK-DAG: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[TY]]
    // CHECK-DAG: %[[TX:.*]] = gpu.thread_id x
    // CHECK-DAG: %[[COLUMN:.*]] = arith.addi %{{.*}}, %[[TX]]
    // CHECK: memref.load %{{.*}}[%[[ROW]], %[[COLUMN]]]
    gpu.func @rows(%x: memref<256x256xf32>, %y: memref<256x256xf32>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>, known_grid_size = array<i32: 8, 32, 1>} {
      %c8 = arith.constant 8 : index
      %row = gpu.global_id x
      %by = gpu.block_id y
      %ty = gpu.thread_id y
      %first = arith.muli %by, %c8 : index
      %column = arith.addi %first, %ty : index
      %element = memref.load %x[%row, %column] : memref<256x256xf32>
      memref.store %element, %y[%row, %column] : memref<256x256xf32>
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // (block * 128 + thread) * 16 + i has become block * 128 * 16 + i * 128 + thread:
    // i * 127 - thread * 15 is added, to the bound of the guard too.
    // CHECK-LABEL: gpu.func @chunks
    // CHECK-DAG: %[[T:.*]] = arith.constant 127 : index
    // CHECK-DAG: %[[N:.*]] = arith.constant 15 : index
    // CHECK: scf.for %[[I:.*]] = %c0 to %c16
    // CHECK: %[[THREAD:.*]] = gpu.thread_id x
    // CHECK: %[[UP:.*]] = arith.muli %[[I]], %[[T]]
    // CHECK: %[[DOWN:.*]] = arith.muli %[[THREAD]], %[[N]]
    // CHECK: %[[MOVE:.*]] = arith.subi %[[UP]], %[[DOWN]]
    // CHECK: %[[OLD:.*]] = arith.addi %{{.*}}, %[[I]]
    // CHECK: %[[GUARD:.*]] = arith.addi %[[OLD]], %[[MOVE]]
    // CHECK: arith.cmpi ult, %[[GUARD]]
    // CHECK: %[[READ:.*]] = arith.addi %[[OLD]], %[[MOVE]]
    // CHECK: memref.load %{{.*}}[%[[READ]]]
    // CHECK: %[[WRITE:.*]] = arith.addi %[[OLD]], %[[MOVE]]
    // CHECK: memref.store %{{.*}}, %{{.*}}[%[[WRITE]]]
    gpu.func @chunks(%x: memref<8190xf32>, %y: memref<8190xf32>)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c8190 = arith.constant 8190 : index
      %thread = gpu.global_id x
      %first = arith.muli %thread, %c16 : index
      scf.for %i = %c0 to %c16 step %c1 {
        %at = arith.addi %first, %i : index
        %inside = arith.cmpi ult, %at, %c8190 : index
        scf.if %inside {
          %element = memref.load %x[%at] : memref<8190xf32>
          %result = arith.mulf %element, %element : f32
          memref.store %result, %y[%at] : memref<8190xf32>
        }
      }
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %k = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.kernelskill.coalesce_threads %k : !transform.any_op
    transform.yield
  }
}

// -----

// Where it does not apply the kernel stays as it is.
module attributes {transform.with_named_sequence} {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @shuffles
    // CHECK-SAME: known_block_size = array<i32: 32, 8, 1>
    // CHECK: gpu.thread_id  x
    // CHECK-NOT: gpu.thread_id
    gpu.func @shuffles(%x: memref<32x8xf32>)
        kernel attributes {known_block_size = array<i32: 32, 8, 1>, known_grid_size = array<i32: 1, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %row = gpu.thread_id x
      %element = memref.load %x[%row, %c0] : memref<32x8xf32>
      %other, %valid = gpu.shuffle xor %element, %c1, %c32 : f32
      memref.store %other, %x[%row, %c0] : memref<32x8xf32>
      gpu.return
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%module: !transform.any_op):
      %k = transform.structured.match ops{["gpu.func"]} in %module : (!transform.any_op) -> !transform.any_op
      transform.kernelskill.coalesce_threads %k : !transform.any_op
    }
    transform.yield
  }
}
