// Chosen for a large elementwise payload, whose seed has one load of 4 bytes a
// thread in flight; refused on a reduction, and on a payload too small to gain.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN

// CHECK: remark: [Passed] vectorized-pointwise | {{.*}}chosen: serves memory_latency, which holds back {{[0-9.]+}} us of {{[0-9.]+}} us estimated
// PLAN: kernelskill.plan = #kernelskill.plan<"vectorized-pointwise", "{{[0-9a-f]+}}", [{block_size = 256 : i64, items_per_thread = 1 : i64, vector_width = 4 : i64},
func.func @forward(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.mulf %a, %a : f32
    linalg.yield %t : f32
  } -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// -----

// An odd innermost extent under a broadcast leaves vectors of one element only.
// CHECK: remark: [Passed] vectorized-pointwise
// PLAN: kernelskill.plan = #kernelskill.plan<"vectorized-pointwise", "{{[0-9a-f]+}}", [{block_size = 256 : i64, items_per_thread = 1 : i64, vector_width = 1 : i64},
// PLAN-NOT: vector_width = 2
// PLAN: #kernelskill.plan<"row-reduction"
func.func @forward(%x: tensor<4096x4097xf32>, %y: tensor<4096xf32>) -> tensor<4096x4097xf32> {
  %empty = tensor.empty() : tensor<4096x4097xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4096x4097xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x4097xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %t = arith.mulf %a, %c : f32
    linalg.yield %t : f32
  } -> tensor<4096x4097xf32>
  return %r : tensor<4096x4097xf32>
}

// -----

// CHECK: remark: [Missed] vectorized-pointwise | {{.*}}its gate fails: kind is reduction, not eq pointwise and kind is reduction, not eq data_movement
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
