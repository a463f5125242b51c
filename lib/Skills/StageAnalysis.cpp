// Analysis of a module as the passes meet it.
#include "KernelSkill/Skills/StageAnalysis.h"
#include "KernelSkill/Skills/ApplyRecipe.h"

using namespace mlir;
using namespace kernelskill;

static bool isOfBinary(Feature feature) {
  return feature == Feature::RegistersPerThread ||
         feature == Feature::SpillBytes;
}

/// Facts of a kind that the kernels' attributes state, by kernel symbol.
static std::map<std::string, FeatureSet>
statedFacts(ModuleOp module, llvm::function_ref<bool(Feature)> wanted) {
  std::map<std::string, FeatureSet> facts;
  module.walk([&](gpu::GPUFuncOp kernel) {
    auto attribute = kernel->getAttrOfType<FeaturesAttr>(kFeaturesAttr);
    for (auto [feature, value] :
         attribute ? attribute.getValues() : ArrayRef<FeatureValue>())
      if (wanted(feature))
        facts[kernel.getName().str()].set(feature, value.getValueAsDouble());
  });
  return facts;
}

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
  analyzeKernelStage(*copy, chip, library, report,
                     statedFacts(module, isOfBinary));
  return report;
}

Measurements kernelskill::measurementsOf(ModuleOp module) {
  return {std::nullopt, statedFacts(module, isMeasured)};
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
