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

def VerifySkillsPass : Pass<"kernelskill-verify-skills", "::mlir::ModuleOp"> {
  let summary = "accept folders of skills, or explain what is wrong with them";
  let description = [{
    Checks every `.mlir` file of the folders: parses and verifies, one pair of
    matcher and action with the file's name, a matcher that only reads, knobs
    with options, known features, chips and skills. The input is not looked at.

    ```
    echo "" | kernelskill-opt --kernelskill-verify-skills="skills=my-skills"
    ```
  }];
  let options = [ListOption<"skills", "skills", "std::string", "folders of skills">];
  let dependentDialects = kernelskillDialects;
}

def DocumentSkillsPass : Pass<"kernelskill-document-skills", "::mlir::ModuleOp"> {
  let summary = "write the page of the skills as Markdown";
  let description = [{
    Checks the folders as `--kernelskill-verify-skills` does, and writes what each
    skill says of itself. The input is not looked at.
  }];
  let options = [
    ListOption<"skills", "skills", "std::string", "folders of skills">,
    Option<"output", "output", "std::string", [{"-"}], "path of the page">];
  let dependentDialects = kernelskillDialects;
}

def DiagnosePass : Pass<"kernelskill-diagnose", "::mlir::ModuleOp"> {
  let summary = "say what holds each kernel back, by time";
  let description = [{
    Applies the empty recipe to a copy of the payload and writes the diagnosis of
    the kernels onto the dispatches, and onto `gpu.func`s that are there already.
    What a kernel's `kernelskill.features` says that was measured is used; what
    was not is said in remarks. Formulas: docs/policy.md.

    ```mlir
    gpu.func @scale(…) kernel attributes {kernelskill.diagnosis =
        #kernelskill.diagnosis<time_us = 80, bound_us = 20, estimated, [uncoalesced_access = 55]>}
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", [{"sm_90a"}], "the chip that times are estimated for">];
  let dependentDialects = kernelskillDialects;
}

def PlanPass : Pass<"kernelskill-plan", "::mlir::ModuleOp"> {
  let summary = "choose the next edit of a recipe";
  let description = [{
    Applies the recipe to a copy of the payload, diagnoses, and weighs every
    skill for every dispatch. The choice is written onto the module as
    `kernelskill.plan`, its reason and those of all other skills are remarks of
    the category `kernelskill-plan`; `output` gets the recipe that the choice leads to.

    ```
    kernelskill-opt payload.mlir --kernelskill-plan="skills=skills output=next.mlir" \
        --remark-format=emitRemark --remarks-filter=kernelskill-plan
    ```
  }];
  let options = [
    ListOption<"skills", "skills", "std::string", "folders of skills">,
    Option<"recipe", "recipe", "std::string", [{""}], "the base; none: the empty recipe">,
    Option<"chip", "chip", "std::string", [{"sm_90a"}], "the chip of the empty recipe">,
    ListOption<"judged", "judged", "std::string", "canonical hashes of recipes not to come to again">,
    Option<"output", "output", "std::string", [{""}], "file to write the next recipe to">
  ];
  let dependentDialects = kernelskillDialects;
}

#endif // KERNELSKILL_SKILLS_PASSES_TD
