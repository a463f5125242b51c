// RUN: kernelskill-opt %s --kernelskill-lower-to-program="output=%t.1" -o /dev/null
// RUN: kernelskill-opt %s --kernelskill-lower-to-program="output=%t.2" -o /dev/null
// RUN: cmp %t.1 %t.2
// RUN: head -c 20000 %t.1 | strings -n 20 | head -1 | python3 -m json.tool | FileCheck %s

// Buffers in the payload's order, then temporaries and constants.
// CHECK: "buffers"
// CHECK: "kind": "argument"
// CHECK: "name": "x"
// CHECK: "role": "input"
// CHECK: "kind": "result"
// CHECK: "name": "result0"
// CHECK-NOT: "role"
// CHECK: "kind": "result"
// CHECK: "name": "mean"
// CHECK: "role": "buffer"
// CHECK: "kind": "temporary"
// CHECK: "kind": "constant"
// CHECK: "name": "table"
// CHECK: "images"
// CHECK: "cubin"
// CHECK: "ptx"
// CHECK: "cpu-object"
// CHECK: "kernels"
// CHECK: lower-to-program.mlir:{{[0-9]+}}:{{[0-9]+}}: memref.load
// CHECK: "dispatch": "0123456789abcdef"
// CHECK: "name": "f"
// CHECK: "steps"
// CHECK: "kind": "launch"
// CHECK: "bytes": 64
// CHECK: "kind": "copy"
module attributes {gpu.container_module} {
  memref.global "private" constant @table : memref<4x4xf32> = dense<1.0>
  func.func @main(%x: memref<4x4xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>},
                  %y: memref<4x4xf32> {kernelskill.result},
                  %mean: memref<4x4xf32> {kernelskill.result, kernelskill.buffer = "mean"}) {
    %t = memref.alloc() : memref<4x4xf32>
    %c = memref.get_global @table : memref<4x4xf32>
    call @dispatch_0(%x, %c, %t) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
    %flat = memref.collapse_shape %t [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %back = memref.expand_shape %flat [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
    memref.copy %back, %y : memref<4x4xf32> to memref<4x4xf32>
    memref.copy %back, %mean : memref<4x4xf32> to memref<4x4xf32>
    memref.dealloc %t : memref<4x4xf32>
    return
  }
  func.func private @dispatch_0(%x: memref<4x4xf32>, %c: memref<4x4xf32>, %y: memref<4x4xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @k::@f blocks in (%c1, %c1, %c1) threads in (%c4, %c4, %c1)
        args(%x : memref<4x4xf32>, %c : memref<4x4xf32>, %y : memref<4x4xf32>)
    return
  }
  gpu.module @k {
    gpu.func @f(%x: memref<4x4xf32> {llvm.readonly}, %c: memref<4x4xf32> {llvm.readonly}, %y: memref<4x4xf32>) kernel
        attributes {kernelskill.dispatch = #kernelskill.dispatch<pointwise, "0123456789abcdef">} {
      %i = gpu.thread_id x
      %j = gpu.thread_id y
      %v = memref.load %x[%i, %j] : memref<4x4xf32>
      %w = memref.load %c[%i, %j] : memref<4x4xf32>
      %s = arith.addf %v, %w : f32
      memref.store %s, %y[%i, %j] : memref<4x4xf32>
      gpu.return
    }
  }
}
