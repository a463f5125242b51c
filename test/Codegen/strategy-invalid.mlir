// A strategy that does not apply says why, at the strategy and at the dispatch.
// RUN: kernelskill-opt %s --transform-interpreter --split-input-file --verify-diagnostics

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @sum(%x: tensor<8x127xf32>) -> tensor<8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x127xf32>) outs(%i : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %k = transform.param.constant 32 : i64 -> !transform.param<i64>
    %w = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{'transform.kernelskill.pointwise' is not applicable: the dispatch has reduction loops}}
    transform.kernelskill.pointwise %f vector_width = %w block_size = %k items_per_thread = %w : !transform.any_op
    transform.yield
  }
}

// -----

#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @sum(%x: tensor<8x127xf32>) -> tensor<8xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %i = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x127xf32>) outs(%i : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %a, %o : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %k = transform.param.constant 32 : i64 -> !transform.param<i64>
    %w = transform.param.constant 4 : i64 -> !transform.param<i64>
    %o = transform.param.constant 1 : i64 -> !transform.param<i64>
    // expected-error @below {{an input's stride 127 is no multiple of the vector width 4}}
    transform.kernelskill.reduction %f block_size = %k lanes = %k vector_width = %w unroll = %o split = %o : !transform.any_op
    transform.yield
  }
}

// -----

#t = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @transpose(%x: tensor<30x20xf32>) -> tensor<20x30xf32> {
    %e = tensor.empty() : tensor<20x30xf32>
    %0 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<30x20xf32>) outs(%e : tensor<20x30xf32>) {
    ^bb0(%a: f32, %o: f32):
      linalg.yield %a : f32
    } -> tensor<20x30xf32>
    return %0 : tensor<20x30xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %b = transform.param.constant 256 : i64 -> !transform.param<i64>
    %w = transform.param.constant 4 : i64 -> !transform.param<i64>
    // expected-error @below {{the innermost extent 30 is no multiple of the vector width 4}}
    transform.kernelskill.pointwise %f vector_width = %w block_size = %b items_per_thread = %w : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @concat(%x: tensor<30xf32>) -> tensor<60xf32> {
    %0 = tensor.concat dim(0) %x, %x : (tensor<30xf32>, tensor<30xf32>) -> tensor<60xf32>
    return %0 : tensor<60xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{'tensor.concat' is not understood in a dispatch}}
    transform.kernelskill.default_strategy %f : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-note @below {{the payload op}}
  func.func private @nothing(%x: tensor<30xf32>) -> tensor<30xf32> {
    return %x : tensor<30xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %b = transform.param.constant 100 : i64 -> !transform.param<i64>
    %w = transform.param.constant 0 : i64 -> !transform.param<i64>
    // expected-error @below {{knob 'vector_width' must be a positive 32-bit integer, but is 0 : i64}}
    transform.kernelskill.pointwise %f vector_width = %w block_size = %b items_per_thread = %w : !transform.any_op
    transform.yield
  }
}
