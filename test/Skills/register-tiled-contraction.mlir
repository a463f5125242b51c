// Chosen for a product of matrices; refused for a sum over rows. What it leads to
// reads each element from memory for many products.
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --remark-format=emitRemark --remarks-filter=kernelskill-plan --split-input-file 2>&1 >/dev/null | FileCheck %s
// RUN: kernelskill-opt %s --kernelskill-plan="skills=%skills" --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: kernelskill-opt %S/../Driver/Inputs/matmul.mlir --kernelskill-plan="skills=%skills output=%t.mlir" -o %t.out
// RUN: kernelskill-opt %S/../Driver/Inputs/matmul.mlir --kernelskill-apply-recipe="recipe=%t.mlir" --kernelskill-extract-features | FileCheck %s --check-prefix=AFTER
// AFTER: gpu.func
// AFTER-SAME: shared_bytes = {{[1-9]}}

// CHECK: remark: [Passed] register-tiled-contraction | {{.*}}chosen: serves
// PLAN: kernelskill.plan = #kernelskill.plan<"register-tiled-contraction",
func.func @forward(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%init : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %r : tensor<1024x1024xf32>
}

// -----

// CHECK: remark: [Missed] register-tiled-contraction | {{.*}}its gate fails: kind is reduction, not eq contraction
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
