// Fills an analysis report from the stages of a candidate.
#include "DryRun.h"
#include "KernelSkill/Analysis/TimeEstimate.h"
#include "KernelSkill/Skills/AnalysisReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kernelskill;

/// How often the public function calls each dispatch function.
static llvm::StringMap<unsigned> countCalls(ModuleOp module) {
  llvm::StringMap<unsigned> calls;
  module.walk([&](func::CallOp call) { ++calls[call.getCallee()]; });
  return calls;
}

namespace {
/// The skills of a stage, to be tried on all of its targets.
class StageSkills {
public:
  StageSkills(const SkillLibrary &library, Stage stage)
      : library(library), stage(stage) {}
  /// Runs the matchers on one target and tries those that accept. Of several
  /// kernels, those that a skill doesn't match don't hinder it.
  void run(Operation *target, DispatchReport &dispatch);

private:
  const SkillLibrary &library;
  Stage stage;
  std::map<const Skill *, SettingRecipes> recipes; // of those that matched
};
} // namespace

void StageSkills::run(Operation *target, DispatchReport &dispatch) {
  for (const Skill &skill : library.all()) {
    if (skill.stage != stage)
      continue;
    auto [entry, isFirst] = dispatch.skills.try_emplace(skill.name);
    SkillReport &report = entry->second;
    std::string mismatch = whyNoMatch(skill, target);
    if (!mismatch.empty()) {
      if (isFirst)
        report.mismatch = mismatch;
      continue;
    }
    auto made = recipes.try_emplace(&skill, skill).first;
    DryRun tried = dryRun(made->second, target);
    if (report.refusal.empty())
      report.refusal = tried.refusal;
    if (isFirst || !report.mismatch.empty())
      report.settings = tried.settings;
    else
      llvm::erase_if(report.settings, [&](const KnobAssignment &knobs) {
        return !llvm::is_contained(tried.settings, knobs);
      });
    report.mismatch.clear();
  }
}

void kernelskill::analyzeDispatchStage(ModuleOp module, const Chip &chip,
                                       const SkillLibrary &library,
                                       AnalysisReport &report) {
  report.chip = chip.name.str();
  for (const Skill &skill : library.all())
    if (skill.stage == Stage::Graph)
      report.graphMatches[skill.name] = whyNoMatch(skill, module);
  llvm::StringMap<unsigned> calls = countCalls(module);
  StageSkills skills(library, Stage::Strategy);
  for (auto function : module.getOps<func::FuncOp>()) {
    auto attribute = function->getAttrOfType<DispatchAttr>(kDispatchAttr);
    if (!attribute)
      continue;
    DispatchReport dispatch;
    dispatch.fingerprint = attribute.getFingerprint().str();
    dispatch.function = function.getSymName().str();
    dispatch.kind = attribute.getKind();
    dispatch.instances = std::max(1u, calls.lookup(function.getSymName()));
    dispatch.work = extractDispatchFeatures(function, chip);
    skills.run(function, dispatch);
    report.dispatches.push_back(std::move(dispatch));
  }
}

/// The report of the dispatch that a kernel is of. A hand-written kernel is one
/// of its own, and its work is what it does: no other measure is at hand.
static DispatchReport &reportOf(gpu::GPUFuncOp kernel, DispatchAttr attribute,
                                AnalysisReport &report) {
  for (DispatchReport &dispatch : report.dispatches)
    if (dispatch.fingerprint == attribute.getFingerprint())
      return dispatch;
  DispatchReport dispatch;
  dispatch.fingerprint = attribute.getFingerprint().str();
  dispatch.function = kernel.getName().str();
  dispatch.kind = attribute.getKind();
  return report.dispatches.emplace_back(std::move(dispatch));
}

static void deriveWork(DispatchReport &dispatch, const FeatureSet &kernel,
                       const Chip &chip) {
  dispatch.work.set(Feature::Kind, static_cast<double>(dispatch.kind));
  dispatch.work.set(Feature::MinBytes, kernel.get(Feature::TouchedBytes));
  dispatch.work.set(Feature::Flops, kernel.get(Feature::Flops));
  dispatch.work.set(Feature::BoundTime, rooflineUs(dispatch.work, chip));
}

void kernelskill::analyzeKernelStage(
    ModuleOp module, const Chip &chip, const SkillLibrary &library,
    AnalysisReport &report, const std::map<std::string, FeatureSet> &binary) {
  report.chip = chip.name.str();
  StageSkills skills(library, Stage::Refine);
  module.walk([&](gpu::GPUFuncOp kernel) {
    auto attribute = kernel->getAttrOfType<DispatchAttr>(kDispatchAttr);
    if (!kernel.isKernel() || !attribute)
      return;
    DispatchReport &dispatch = reportOf(kernel, attribute, report);
    auto found = binary.find(kernel.getName().str());
    FeatureSet features = extractKernelFeatures(
        kernel, chip, found == binary.end() ? FeatureSet() : found->second);
    if (!dispatch.work.has(Feature::MinBytes) &&
        dispatch.work.all().size() <= 1)
      deriveWork(dispatch, features, chip);
    dispatch.kernels.push_back({kernel.getName().str(), features});
    skills.run(kernel, dispatch);
  });
}

void kernelskill::addBinaryFeatures(
    AnalysisReport &report, const Chip &chip,
    const std::map<std::string, FeatureSet> &binary) {
  for (DispatchReport &dispatch : report.dispatches)
    for (KernelReport &kernel : dispatch.kernels) {
      auto found = binary.find(kernel.name);
      if (found == binary.end())
        continue;
      kernel.features.merge(found->second);
      estimateOccupancy(kernel.features, chip);
      estimateTime(kernel.features, chip);
    }
}
