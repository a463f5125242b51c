// Facts of a dispatch, and what became of a skill's expectations of them.
#include "KernelSkill/Skills/Policy.h"

using namespace kernelskill;

FeatureSet kernelskill::factsOf(const DispatchReport &dispatch) {
  FeatureSet all;
  const KernelReport *slowest = nullptr;
  auto time = [](const KernelReport &kernel) {
    return kernel.features.getOr(
        Feature::Time, kernel.features.getOr(Feature::EstimatedTime, 0));
  };
  for (const KernelReport &kernel : dispatch.kernels)
    if (!slowest || time(kernel) > time(*slowest))
      slowest = &kernel;
  if (slowest)
    all.merge(slowest->features);
  // What has to be done comes from the dispatch, not from what a kernel does.
  all.merge(dispatch.work);
  if (auto measured = all.get(Feature::Time))
    if (auto bound = all.get(Feature::BoundTime); bound && *measured > 0)
      all.set(Feature::RooflineFraction, *bound / *measured);
  return all;
}

/// Of all kernels together; nothing if one has none.
static std::optional<double> estimateOf(const DispatchReport &dispatch) {
  double sum = 0;
  for (const KernelReport &kernel : dispatch.kernels) {
    auto estimate = kernel.features.get(Feature::EstimatedTime);
    if (!estimate)
      return std::nullopt;
    sum += *estimate;
  }
  return sum;
}

std::vector<ExpectationOutcome>
kernelskill::compareExpectations(const Skill &skill,
                                 const DispatchReport &before,
                                 const DispatchReport &after) {
  std::vector<ExpectationOutcome> outcomes;
  mlir::ArrayAttr expects = skill.metadata.getExpects();
  if (!expects)
    return outcomes;
  FeatureSet first = factsOf(before), last = factsOf(after);
  for (mlir::Attribute entry : expects) {
    auto expect = llvm::cast<ExpectAttr>(entry);
    Feature feature = expect.getFeature();
    bool isEstimate = feature == Feature::Time &&
                      !(first.has(Feature::Time) && last.has(Feature::Time));
    if (isEstimate)
      outcomes.push_back({feature, expect.getDirection(), estimateOf(before),
                          estimateOf(after), true});
    else
      outcomes.push_back({feature, expect.getDirection(), first.get(feature),
                          last.get(feature)});
  }
  return outcomes;
}

std::optional<bool> ExpectationOutcome::met() const {
  if (!before || !after)
    return std::nullopt;
  return direction == Direction::Up ? *after > *before : *after < *before;
}

llvm::json::Object ExpectationOutcome::toJson() const {
  auto number = [](std::optional<double> value) {
    return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
  };
  std::optional<bool> isMet = met();
  return llvm::json::Object{{"feature", stringifyFeature(feature)},
                            {"direction", stringifyDirection(direction)},
                            {"before", number(before)},
                            {"after", number(after)},
                            {"estimate", estimate},
                            {"met", !isMet   ? "unknown"
                                    : *isMet ? "yes"
                                             : "no"}};
}
