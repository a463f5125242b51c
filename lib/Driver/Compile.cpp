// Runs the stages of docs/architecture.md; see the header.
#include "Compile.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/ApplyRecipe.h"
#include "KernelSkill/Skills/Recipe.h"

using namespace llvm;
using namespace kernelskill;

/// What ptxas said, by kernel.
static std::map<std::string, FeatureSet>
binaryFeatures(const Program &program) {
  std::map<std::string, FeatureSet> features;
  for (const KernelRecord &kernel : program.kernels) {
    if (kernel.registers == 0)
      continue; // not assembled
    FeatureSet &set = features[kernel.name];
    set.set(Feature::RegistersPerThread, kernel.registers);
    set.set(Feature::SpillBytes, kernel.spillBytes);
  }
  return features;
}

mlir::FailureOr<Compiled>
kernelskill::compile(const CompileInputs &inputs,
                     function_ref<void(StringRef)> stage) {
  Expected<const Chip *> chip = findChip(inputs.lowering.chip);
  if (!chip) {
    mlir::ModuleOp(inputs.payload)->emitError(toString(chip.takeError()));
    return mlir::failure();
  }
  Compiled compiled;
  std::string hash = payloadHash(inputs.payload);
  compiled.report.chip = inputs.lowering.chip;
  stage("dispatch");
  if (mlir::failed(formDispatchStage(inputs.payload, inputs.recipe)))
    return mlir::failure();
  analyzeDispatchStage(inputs.payload, **chip, *inputs.library,
                       compiled.report);
  stage("kernel");
  if (mlir::failed(formKernelStage(inputs.payload, inputs.recipe)))
    return mlir::failure();
  stage("analyze");
  analyzeKernelStage(inputs.payload, **chip, *inputs.library, compiled.report);
  stage("lower");
  mlir::FailureOr<Program> program =
      lowerToProgram(inputs.payload, inputs.lowering);
  if (mlir::failed(program))
    return mlir::failure();
  compiled.program = std::move(*program);
  compiled.program.producer = std::string("kernelskill ") + KERNELSKILL_VERSION;
  compiled.program.payloadHash = hash;
  compiled.program.numerics = inputs.numerics;
  if (!listSteps(inputs.recipe).empty())
    compiled.program.recipeHash = canonicalHash(inputs.recipe);
  addBinaryFeatures(compiled.report, **chip, binaryFeatures(compiled.program));
  return compiled;
}
