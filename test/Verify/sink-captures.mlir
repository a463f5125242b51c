// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-sink-captures))' | FileCheck %s

// A view of a view, its constant index, and a constant that two launches share
// are made in each launch; the buffer and the sizes of the grid stay outside.
// CHECK-LABEL: func.func @two
// CHECK-SAME:    (%[[BUFFER:.*]]: memref<8xf32>,
// CHECK:         gpu.launch
// CHECK-DAG:       %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:       %[[INDEX:.*]] = arith.constant 2 : index
// CHECK-DAG:       %[[VIEW:.*]] = memref.subview %[[BUFFER]]
// CHECK:           %[[INNER:.*]] = memref.subview %[[VIEW]][%[[INDEX]]]
// CHECK:           memref.store %[[ONE]], %[[INNER]]
// CHECK:         gpu.launch
// CHECK:           %[[AGAIN:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:           memref.store %[[AGAIN]], %[[BUFFER]]
func.func @two(%buffer: memref<8xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  %size = arith.constant 1 : index
  %index = arith.constant 2 : index
  %view = memref.subview %buffer[0] [6] [1] : memref<8xf32> to memref<6xf32>
  %inner = memref.subview %view[%index] [2] [1] : memref<6xf32> to memref<2xf32, strided<[1], offset: ?>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size, %gy = %size, %gz = %size) threads(%tx, %ty, %tz) in (%sx = %size, %sy = %size, %sz = %size) {
    memref.store %one, %inner[%tx] : memref<2xf32, strided<[1], offset: ?>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %size, %gy = %size, %gz = %size) threads(%tx, %ty, %tz) in (%sx = %size, %sy = %size, %sz = %size) {
    memref.store %one, %buffer[%n] : memref<8xf32>
    gpu.terminator
  }
  return
}
