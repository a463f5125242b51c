// A hand-written kernel whose neighbouring threads are rows apart: each pass on
// its own file, then the whole loop.
// REQUIRES: ptxas
// RUN: kernelskill-opt %s --kernelskill-extract-features -o %t.features.mlir && FileCheck %s --check-prefix=FEATURES --input-file=%t.features.mlir
// FEATURES: gpu.func @scale
// FEATURES-SAME: coalesced_fraction = 0.125
// RUN: kernelskill-opt %t.features.mlir --kernelskill-diagnose -o %t.diagnosis.mlir && FileCheck %s --check-prefix=DIAGNOSIS --input-file=%t.diagnosis.mlir
// DIAGNOSIS: kernelskill.diagnosis = #kernelskill.diagnosis<time_us =
// DIAGNOSIS-SAME: uncoalesced_access =
// RUN: kernelskill-opt %t.diagnosis.mlir --kernelskill-plan="skills=%skills output=%t.recipe.mlir" | FileCheck %s --check-prefix=PLAN
// PLAN: kernelskill.plan = #kernelskill.plan<"coalesce-threads"
// RUN: kernelskill-opt %s --kernelskill-apply-recipe="recipe=%t.recipe.mlir" --kernelskill-extract-features | FileCheck %s --check-prefix=AFTER
// AFTER: gpu.func @scale
// AFTER-SAME: coalesced_fraction = 1,

// RUN: rm -rf %t && mkdir %t && kernelskill optimize %s --device cpu --rounds 2 --budget 600 --json -o %t/out > %t/report.json
// RUN: FileCheck %S/Inputs/report.check -DSKILL=coalesce-threads --input-file=%t/report.json
// RUN: kernelskill build %s --recipe %t/out/recipe.mlir -o %t/again && cmp %t/out/kernel.ptx %t/again/kernel.ptx
// RUN: kernelskill run %t/out/program.ksp --device cpu -o %t/drawn
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(
        %x: memref<64x64xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>, llvm.noalias, llvm.readonly},
        %y: memref<64x64xf32> {kernelskill.argument = #kernelskill.argument<"y", buffer, zeros>, llvm.noalias})
        kernel attributes {known_block_size = array<i32: 32, 32, 1>, known_grid_size = array<i32: 2, 2, 1>} {
      %two = arith.constant 2.0 : f32
      %one = arith.constant 1.0 : f32
      %row = gpu.global_id x
      %column = gpu.global_id y
      %element = memref.load %x[%row, %column] : memref<64x64xf32>
      %product = arith.mulf %element, %two : f32
      %result = arith.addf %product, %one : f32
      memref.store %result, %y[%row, %column] : memref<64x64xf32>
      gpu.return
    }
  }
}
