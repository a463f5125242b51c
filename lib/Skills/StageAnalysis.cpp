// Analysis of a module as the passes meet it.
#include "KernelSkill/Skills/StageAnalysis.h"
#include "KernelSkill/Skills/ApplyRecipe.h"

using namespace mlir;
using namespace kernelskill;

FailureOr<AnalysisReport>
kernelskill::analyzeModule(ModuleOp module, ModuleOp recipe, const Chip &chip,
                           const SkillLibrary &library) {
  OwningOpRef<ModuleOp> copy = module.clone();
  AnalysisReport report;
  if (failed(formDispatchStage(*copy, recipe)))
    return failure();
  analyzeDispatchStage(*copy, chip, library, report);
  if (failed(formKernelStage(*copy, recipe)))
    return failure();
  analyzeKernelStage(*copy, chip, library, report);
  return report;
}

Measurements kernelskill::measurementsOf(ModuleOp module) {
  Measurements measurements;
  module.walk([&](gpu::GPUFuncOp kernel) {
    auto attribute = kernel->getAttrOfType<FeaturesAttr>(kFeaturesAttr);
    if (!attribute)
      return;
    FeatureSet measured;
    for (auto [feature, value] : attribute.getValues())
      if (isMeasured(feature) || feature == Feature::RegistersPerThread ||
          feature == Feature::SpillBytes)
        measured.set(feature, value.getValueAsDouble());
    if (!measured.empty())
      measurements.kernels[kernel.getName().str()] = measured;
  });
  return measurements;
}

bool kernelskill::isTargetOf(FunctionOpInterface function,
                             const DispatchReport &dispatch) {
  if (isa<gpu::GPUFuncOp>(*function))
    return llvm::any_of(dispatch.kernels, [&](const KernelReport &kernel) {
      return kernel.name == function.getName();
    });
  auto attribute = function->getAttrOfType<DispatchAttr>(kDispatchAttr);
  return attribute && attribute.getFingerprint() == dispatch.fingerprint;
}
