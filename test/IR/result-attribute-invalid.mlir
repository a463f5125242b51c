// RUN: kernelskill-opt %s --split-input-file --verify-diagnostics

func.func @good(%x: memref<4xf32>, %y: memref<4xf32> {kernelskill.result}) {
  return
}

// -----

// expected-error @+1 {{'kernelskill.result' must be a unit attribute}}
func.func @bad(%y: memref<4xf32> {kernelskill.result = 1 : i32}) {
  return
}

// -----

// expected-error @+1 {{unknown argument attribute 'kernelskill.results' of the kernelskill dialect}}
func.func @misspelt(%y: memref<4xf32> {kernelskill.results}) {
  return
}

// -----

// expected-error @below {{'kernelskill.buffer' must be the buffer's name}}
func.func @buffer(%x: tensor<4xf32>) -> (tensor<4xf32> {kernelskill.buffer = 1 : i64}) {
  return %x : tensor<4xf32>
}
