// The decision policy: diagnosis, gates, vetoes, ranking. A pure function:
// the same report, measurements, library, recipe and history give the same
// decision. Formulas are in docs/policy.md.
#ifndef KERNELSKILL_SKILLS_POLICY_H
#define KERNELSKILL_SKILLS_POLICY_H

#include "KernelSkill/Skills/AnalysisReport.h"
#include "KernelSkill/Skills/Recipe.h"

#include <set>

namespace kernelskill {

/// What a run of the base told. Absent: not measured.
struct Measurements {
  /// Of the whole program, microseconds.
  std::optional<double> programUs;
  /// By kernel symbol: time_us, dram_throughput_pct, … where counters are had.
  std::map<std::string, FeatureSet> kernels;
};

/// What was tried before.
struct History {
  /// Canonical hashes that have a verdict: never judged again.
  std::set<std::string> judged;
  /// Skills that failed on this base (crash, wrong, hang), as {skill,
  /// dispatch}, with the reason: not tried on it again.
  std::map<std::pair<std::string, std::string>, std::string> failedOnBase;
};

/// Time held back by one bottleneck, microseconds a program run.
struct HeldTime {
  Bottleneck bottleneck;
  double us;
};

struct DispatchDiagnosis {
  std::string fingerprint;
  std::optional<double> timeUs, boundUs; // of all instances, where known
  bool measured = false;                 // else timeUs is the model's estimate
  std::vector<HeldTime> held;            // greatest first; only those above 0
  std::vector<std::string> unknown;      // what was not known, in words
};

/// One knob setting to try, and the canonical hash of the recipe it leads to.
struct KnobTrial {
  KnobAssignment knobs;
  std::string hash;
};

/// One edit of the recipe, for one class of equal dispatches.
struct PlannedEdit {
  enum class Kind { AddStep, ReplaceStep, SetKnobs } kind = Kind::AddStep;
  std::string skill, dispatch;
  int step = -1; // of the recipe, for ReplaceStep and SetKnobs
  /// Preferred setting first, then its neighbours; none judged before.
  std::vector<KnobTrial> trials;
  double gainUs = 0; // expected, at most what the bottlenecks served hold back
  double confidence = 1; // halved by each gate that is unknown
  Bottleneck bottleneck = Bottleneck::DramBandwidth; // the greatest one served
  std::string reason; // one sentence, with numbers
};

/// Why a skill was not chosen for a dispatch.
struct Rejection {
  std::string skill, dispatch, reason;
};

struct Decision {
  std::vector<DispatchDiagnosis> diagnoses;
  /// Ranked, best first. The front is the decision of the round.
  std::vector<PlannedEdit> edits;
  std::vector<Rejection> rejections;
  /// One sentence: what was chosen and why, or why nothing was.
  std::string summary;
  llvm::json::Object toJson() const;
};

/// What is known of a dispatch: its work, and the kernel that takes longest.
/// Conditions and expectations look at these.
FeatureSet factsOf(const DispatchReport &dispatch);

/// One of a skill's `expects`, and what became of it.
struct ExpectationOutcome {
  Feature feature;
  Direction direction;
  std::optional<double> before, after; // absent: not known
  bool estimate = false;               // of a time: the model's, not measured
  /// Whether it moved that way; nothing if that is not known.
  std::optional<bool> met() const;
  llvm::json::Object toJson() const;
};

/// Compares what the skill is expected to move on a dispatch before and after.
std::vector<ExpectationOutcome>
compareExpectations(const Skill &skill, const DispatchReport &before,
                    const DispatchReport &after);

/// The report with what was measured among the features of its kernels.
AnalysisReport withMeasurements(const AnalysisReport &report,
                                const Measurements &measurements);

std::vector<DispatchDiagnosis> diagnose(const AnalysisReport &report,
                                        const Measurements &measurements);

Decision plan(const AnalysisReport &report, const Measurements &measurements,
              const SkillLibrary &library, mlir::ModuleOp recipe,
              const History &history);

/// The recipe that a trial of an edit leads to.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
applyEdit(const PlannedEdit &edit, const KnobTrial &trial,
          const SkillLibrary &library, mlir::ModuleOp recipe);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_POLICY_H
