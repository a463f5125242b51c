// RUN: kernelskill-opt %s --pass-pipeline='builtin.module(func.func(kernelskill-error-scale))' --split-input-file --verify-diagnostics

func.func @rule(%x: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) {
  ^bb0(%a: f64, %o: f64):
    // expected-error @below {{no error rule for 'math.erfc'}}
    %p = math.erfc %a : f64
    linalg.yield %p : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}

// -----

func.func @dynamic(%x: tensor<?xf64>) -> tensor<?xf64> {
  %r = tensor.extract_slice %x[1] [2] [1] : tensor<?xf64> to tensor<2xf64>
  // expected-error @below {{shape must be static, but is 'tensor<?xf64>'}}
  %d = tensor.cast %r : tensor<2xf64> to tensor<?xf64>
  return %d : tensor<?xf64>
}
