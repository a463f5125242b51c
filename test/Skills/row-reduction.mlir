// Chosen for sums over rows; refused for sums over columns.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Passed] row-reduction | {{.*}}chosen: serves
// PLAN: kernelskill.plan = #kernelskill.plan<"row-reduction", "{{[0-9a-f]+}}", [{block_size = 256 : i64, lanes = 32 : i64, unroll = 4 : i64, vector_width = 4 : i64},
func.func @forward(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096xf32>) -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x4096xf32>) outs(%init : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// -----

// CHECK: remark: [Missed] row-reduction | {{.*}}its gate fails: has_inner_reduction is 0, not eq 1
func.func @forward(%x: tensor<1024x65536xf32>) -> tensor<65536xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<65536xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<65536xf32>) -> tensor<65536xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<1024x65536xf32>) outs(%init : tensor<65536xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<65536xf32>
  return %r : tensor<65536xf32>
}
