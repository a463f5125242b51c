//===- Passes.td - passes of the Skills room ---------------------------------===//
#ifndef KERNELSKILL_SKILLS_PASSES_TD
#define KERNELSKILL_SKILLS_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Dialects that payloads, recipes and kernels may come to hold.
defvar kernelskillDialects = [
  "::kernelskill::KernelSkillDialect", "::mlir::affine::AffineDialect",
  "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
  "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
  "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
  "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
  "::mlir::transform::TransformDialect", "::mlir::vector::VectorDialect"
];

def ApplyRecipePass : Pass<"kernelskill-apply-recipe", "::mlir::ModuleOp"> {
  let summary = "apply a recipe to its payload, up to the kernel stage";
  let description = [{
    Graph steps, dispatch forming, strategies (the default one where the recipe
    names none), host bufferization, refinements. Without a recipe the result is
    the seed.

    ```
    kernelskill-opt payload.mlir --kernelskill-apply-recipe="recipe=recipe.mlir"
    ```
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", [{""}], "the recipe's file; none: the empty recipe">,
    Option<"dispatchesOnly", "dispatches-only", "bool", "false", "stop at the dispatch stage">
  ];
  let dependentDialects = kernelskillDialects;
}

def VerifyStagePass : Pass<"kernelskill-verify-stage", "::mlir::ModuleOp"> {
  let summary = "check the contract of a stage (docs/architecture.md)";
  let options = [Option<"stage", "stage", "std::string", [{"kernel"}], "dispatch or kernel">];
}

#endif // KERNELSKILL_SKILLS_PASSES_TD
