// Values of the feature attributes, and the range that a feature's name
// implies.
#ifndef KERNELSKILL_IR_FEATUREVALUE_H
#define KERNELSKILL_IR_FEATUREVALUE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include <limits>
#include <optional>
#include <utility>

#include "KernelSkill/IR/KernelSkillEnums.h.inc"

namespace kernelskill {

/// A feature and its value (f64).
using FeatureValue = std::pair<Feature, mlir::FloatAttr>;
/// A bottleneck and the microseconds that it holds a kernel back (f64).
using HeldBack = std::pair<Bottleneck, mlir::FloatAttr>;

/// Whether a run tells it, and not the IR or the binary.
inline bool isMeasured(Feature feature) {
  return static_cast<uint32_t>(feature) >= 100;
}

/// The legal values, both ends included.
inline std::pair<double, double> featureRange(Feature feature) {
  llvm::StringRef name = stringifyFeature(feature);
  if (feature == Feature::Kind)
    return {0, getMaxEnumValForDispatchKind()};
  if (name.ends_with("_fraction") || name.starts_with("has_") ||
      name.ends_with("_bounded"))
    return {0, 1};
  if (name.ends_with("_pct"))
    return {0, 100};
  return {0, std::numeric_limits<double>::max()};
}

} // namespace kernelskill

#endif // KERNELSKILL_IR_FEATUREVALUE_H
