// Where the strategy `contraction` does not apply it says why.
// RUN: kernelskill-opt %s --split-input-file --transform-interpreter --verify-diagnostics

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @tile_too_large(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %product = arith.mulf %p, %q : f32
      %sum = arith.addf %s, %product : f32
      linalg.yield %sum : f32
    } -> tensor<64x64xf32>
    return %root : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %8 = transform.param.constant 8 : i64 -> !transform.param<i64>
    %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %128 = transform.param.constant 128 : i64 -> !transform.param<i64>
    // expected-error @below {{'transform.kernelskill.contraction' is not applicable: the tiles need 133120 bytes of shared memory, but static shared memory ends at 49152}}
    transform.kernelskill.contraction %f tile_m = %128 tile_n = %128 tile_k = %128
        thread_m = %8 thread_n = %8 stages = %1 group = %8 chain = %128
        min_blocks = %1 : !transform.any_op
    transform.yield
  }
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @tile_no_power(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x64xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
    ^bb0(%p: f32, %q: f32, %s: f32):
      %product = arith.mulf %p, %q : f32
      %sum = arith.addf %s, %product : f32
      linalg.yield %sum : f32
    } -> tensor<64x64xf32>
    return %root : tensor<64x64xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    %48 = transform.param.constant 48 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: tile_m must be a power of 2 from 4 to 512, but is 48}}
    transform.kernelskill.contraction %f tile_m = %48 tile_n = %32 tile_k = %32
        thread_m = %4 thread_n = %4 stages = %1 group = %1 chain = %32
        min_blocks = %1 : !transform.any_op
    transform.yield
  }
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @half_precision(%x: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf16>
      attributes {kernelskill.dispatch = #kernelskill.dispatch<contraction, "0123456789abcdef">} {
    %zero = arith.constant 0.0 : f16
    %empty = tensor.empty() : tensor<64x64xf16>
    %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<64x64xf16>) -> tensor<64x64xf16>
    %root = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<64x64xf16>, tensor<64x64xf16>) outs(%init : tensor<64x64xf16>) {
    ^bb0(%p: f16, %q: f16, %s: f16):
      %product = arith.mulf %p, %q : f16
      %sum = arith.addf %s, %product : f16
      linalg.yield %sum : f16
    } -> tensor<64x64xf16>
    return %root : tensor<64x64xf16>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "half_precision"} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.param.constant 1 : i64 -> !transform.param<i64>
    %4 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %32 = transform.param.constant 32 : i64 -> !transform.param<i64>
    // expected-error @below {{is not applicable: expected f32 operands, but found f16}}
    transform.kernelskill.contraction %f tile_m = %32 tile_n = %32 tile_k = %32
        thread_m = %4 thread_n = %4 stages = %1 group = %1 chain = %32
        min_blocks = %1 : !transform.any_op
    transform.yield
  }
}
