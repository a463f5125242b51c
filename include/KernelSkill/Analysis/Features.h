// What is known of a kernel or a dispatch, by feature. A fact that is not known
// is absent, never 0. The schema of names, units and ranges is the `Feature`
// enum of the dialect (IR/KernelSkillAttributes.td).
#ifndef KERNELSKILL_ANALYSIS_FEATURES_H
#define KERNELSKILL_ANALYSIS_FEATURES_H

#include "KernelSkill/Analysis/Chip.h"
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>

namespace kernelskill {

/// Facts by feature, ordered as the schema is.
class FeatureSet {
public:
  std::optional<double> get(Feature feature) const;
  /// The value if it is known, else `other`.
  double getOr(Feature feature, double other) const;
  bool has(Feature feature) const { return values.count(feature) != 0; }
  /// Values outside of the feature's range and NaN are taken as unknown.
  void set(Feature feature, std::optional<double> value);
  /// Takes over all facts that `other` knows.
  void merge(const FeatureSet &other);
  bool empty() const { return values.empty(); }
  const std::map<Feature, double> &all() const { return values; }

  /// {"blocks": 12, "kind": "pointwise", …} and back; a name or a value that
  /// the schema doesn't have is an error.
  llvm::json::Object toJson() const;
  static llvm::Expected<FeatureSet> fromJson(const llvm::json::Value &value);
  FeaturesAttr toAttribute(mlir::MLIRContext *context) const;
  static FeatureSet fromAttribute(FeaturesAttr attribute);

private:
  std::map<Feature, double> values;
};

/// Work and bytes of a dispatch function on tensors (kind, flops, min_bytes,
/// result_count, …) and its roofline bound on that chip.
FeatureSet extractDispatchFeatures(mlir::FunctionOpInterface dispatch,
                                   const Chip &chip);

/// What one launch of a kernel does, from its IR: accesses, loops, barriers,
/// shared memory, occupancy, and the analytic time estimate. Grid and block are
/// the kernel's `known_grid_size` and `known_block_size`. `binary` holds what
/// ptxas said (registers_per_thread, spill_bytes), where it has been run.
FeatureSet extractKernelFeatures(mlir::gpu::GPUFuncOp kernel, const Chip &chip,
                                 const FeatureSet &binary = {});

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_FEATURES_H
