// Gates and vetoes: three-valued, so that what is not known stays so.
#ifndef KERNELSKILL_SKILLS_CONDITIONS_H
#define KERNELSKILL_SKILLS_CONDITIONS_H

#include "KernelSkill/Analysis/Features.h"

namespace kernelskill {

enum class Truth { No, Unknown, Yes };

struct ConditionResult {
  Truth truth = Truth::Yes;
  /// The gate that decided, with the value it met: "coalesced_fraction is 1,
  /// not lt 0.5", or "dram_throughput_pct is not known". Empty if it holds.
  std::string reason;
  /// How many gates were unknown.
  unsigned unknown = 0;
};

/// Evaluates a condition (gate, all, any); a null one holds.
ConditionResult evaluateCondition(mlir::Attribute condition,
                                  const FeatureSet &features);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_CONDITIONS_H
