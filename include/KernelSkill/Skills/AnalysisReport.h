// What the build child found out about a candidate: its dispatches, their
// kernels with features, and which skills match where. Plain data: no IR.
#ifndef KERNELSKILL_SKILLS_ANALYSISREPORT_H
#define KERNELSKILL_SKILLS_ANALYSISREPORT_H

#include "KernelSkill/Analysis/Features.h"
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Skills/SkillLibrary.h"

#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace kernelskill {

struct KernelReport {
  std::string name;    // symbol of the gpu.func
  FeatureSet features; // of one launch, with the estimate
};

/// Whether a skill can be applied to a dispatch.
struct SkillReport {
  /// Why its matcher does not accept; empty if it does.
  std::string mismatch;
  /// The knob settings that apply to a copy, the preferred one first.
  std::vector<KnobAssignment> settings;
  /// Why others don't: what the first of them said.
  std::string refusal;
};

struct DispatchReport {
  std::string fingerprint;
  std::string function; // symbol of the dispatch function, or of the kernel
  DispatchKind kind = DispatchKind::Pointwise;
  unsigned instances = 1; // how often the program calls it
  FeatureSet work;        // of one instance; min_bytes, flops, bound_us, …
  std::vector<KernelReport> kernels;
  /// By skill name. A refine skill is tried on all kernels of the dispatch.
  std::map<std::string, SkillReport> skills;
};

struct AnalysisReport {
  std::string chip;
  /// Graph skills on the whole payload: empty if the matcher accepts.
  std::map<std::string, std::string> graphMatches;
  std::vector<DispatchReport> dispatches;

  const DispatchReport *find(llvm::StringRef fingerprint) const;
  /// Whether it says which skills match: the library was not empty.
  bool hasSkills() const;
  llvm::json::Object toJson() const;
  static llvm::Expected<AnalysisReport>
  fromJson(const llvm::json::Value &value);
};

/// Adds the dispatches of a dispatch stage (formDispatchStage): work, and the
/// graph and strategy skills that match. Call it before formKernelStage.
void analyzeDispatchStage(mlir::ModuleOp module, const Chip &chip,
                          const SkillLibrary &library, AnalysisReport &report);
/// Adds the kernels of a kernel stage (formKernelStage): features, and the
/// refine skills that match. `binary` is what ptxas said, by kernel symbol.
void analyzeKernelStage(mlir::ModuleOp module, const Chip &chip,
                        const SkillLibrary &library, AnalysisReport &report,
                        const std::map<std::string, FeatureSet> &binary = {});
/// Merges what ptxas said into a report whose kernels were analyzed without it,
/// and estimates occupancy and time anew.
void addBinaryFeatures(AnalysisReport &report, const Chip &chip,
                       const std::map<std::string, FeatureSet> &binary);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_ANALYSISREPORT_H
