// RUN: kernelskill-opt %s --kernelskill-bufferize-host --split-input-file --verify-diagnostics

func.func @dispatch_on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{dispatch 'dispatch_0' is still on tensors: give it a strategy first}}
  %0 = call @dispatch_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @dispatch_0(tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @no_dispatches(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{is on tensors, but only calls of dispatches and reshapes may be left here: form dispatches first}}
  %0 = tensor.empty() : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{a payload has exactly one public function, but this module has 2}}
module {
  // expected-note @below {{'a' is public}}
  func.func @a(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
  // expected-note @below {{'b' is public}}
  func.func @b(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
