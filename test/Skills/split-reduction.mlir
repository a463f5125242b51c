// Chosen for few long sums; refused where there are results enough.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Passed] split-reduction | {{.*}}chosen: serves
// PLAN: kernelskill.plan = #kernelskill.plan<"split-reduction",
func.func @forward(%x: tensor<64x262144xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x262144xf32>) outs(%init : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// CHECK: remark: [Missed] split-reduction | {{.*}}its gate fails: reduction_length is 1024, not ge 4096
func.func @forward(%x: tensor<65536x1024xf32>) -> tensor<65536xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<65536xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<65536xf32>) -> tensor<65536xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<65536x1024xf32>) outs(%init : tensor<65536xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<65536xf32>
  return %r : tensor<65536xf32>
}
