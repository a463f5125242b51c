// Chooses the next edit of a recipe: for every dispatch and skill either an
// edit with its expected gain, or the reason why not.
#include "Conditions.h"
#include "KernelSkill/Skills/Policy.h"
#include "KnobSearch.h"

using namespace mlir;
using namespace kernelskill;

namespace {
/// A dispatch this near its bound is left alone.
constexpr double kNearBound = 1.05;
/// Turning the knobs of what is already there is likelier to be in vain.
constexpr double kKnobsOnly = 0.5;

/// One skill for one dispatch: what plan() weighs.
class Candidate {
public:
  Candidate(const Skill &skill, const DispatchReport &dispatch,
            const DispatchDiagnosis &diagnosis, ModuleOp recipe,
            const SkillLibrary &library, const History &history)
      : skill(skill), dispatch(dispatch), diagnosis(diagnosis), recipe(recipe),
        library(library), history(history) {
    edit.skill = skill.name;
    edit.dispatch = skill.stage == Stage::Graph ? "" : dispatch.fingerprint;
  }

  /// Why the skill is out; empty if `edit` is ready.
  std::string reject();
  PlannedEdit edit;

private:
  std::string rejectByContract();
  std::string rejectByPlace();
  std::string rejectByConditions();
  std::string rejectByGain();
  std::string rejectByHistory();

  const Skill &skill;
  const DispatchReport &dispatch;
  const DispatchDiagnosis &diagnosis;
  ModuleOp recipe;
  const SkillLibrary &library;
  const History &history;
};
} // namespace

static llvm::json::Value toJson(std::optional<double> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

static std::string us(double value) {
  return llvm::formatv("{0} us", llvm::format("%.4g", value)).str();
}

static bool lists(ArrayAttr names, llvm::StringRef name) {
  return names && llvm::any_of(names, [&](Attribute entry) {
           return cast<StringAttr>(entry).getValue() == name;
         });
}

std::string Candidate::rejectByContract() {
  RecipeHeader header = recipeHeader(recipe);
  SkillAttr metadata = skill.metadata;
  if (metadata.getNumerics() > header.numerics)
    return ("needs the numerics class " +
            stringifyNumerics(metadata.getNumerics()) + ", but only " +
            stringifyNumerics(header.numerics) + " is allowed")
        .str();
  if (metadata.getChips() && !lists(metadata.getChips(), header.chip))
    return "does not run on " + header.chip;
  auto report = dispatch.skills.find(skill.name);
  if (report == dispatch.skills.end())
    return dispatch.kind == DispatchKind::Kernel
               ? "is a strategy, and this is a kernel already"
               : "its matcher was not run here";
  if (!report->second.mismatch.empty())
    return "does not match: " + report->second.mismatch;
  return "";
}

/// Finds the place in the recipe: a new step, or one that is there.
std::string Candidate::rejectByPlace() {
  bool hasNeeded = !skill.metadata.getNeeds();
  for (const RecipeStep &step : listSteps(recipe)) {
    if (step.dispatch != edit.dispatch)
      continue;
    hasNeeded |= lists(skill.metadata.getNeeds(), step.skill);
    bool isReplaced =
        step.stage == Stage::Strategy && skill.stage == Stage::Strategy;
    if (step.skill == skill.name) {
      edit.kind = PlannedEdit::Kind::SetKnobs;
      edit.step = static_cast<int>(step.index);
    } else if (isReplaced) {
      edit.kind = PlannedEdit::Kind::ReplaceStep;
      edit.step = static_cast<int>(step.index);
    } else {
      const Skill *other = library.find(step.skill);
      if (lists(skill.metadata.getExcludes(), step.skill) ||
          (other && lists(other->metadata.getExcludes(), skill.name)))
        return "is excluded by '" + step.skill + "', which is applied";
    }
  }
  if (!hasNeeded)
    return "needs a skill that is not applied";
  if (edit.kind == PlannedEdit::Kind::SetKnobs && skill.knobs.empty())
    return "is applied already, and has no knobs";
  return "";
}

std::string Candidate::rejectByConditions() {
  FeatureSet facts = factsOf(dispatch);
  ConditionResult when = evaluateCondition(skill.metadata.getWhen(), facts);
  if (when.truth == Truth::No)
    return "its gate fails: " + when.reason;
  if (when.truth == Truth::Unknown)
    edit.confidence = std::pow(0.5, when.unknown);
  if (Attribute condition = skill.metadata.getVeto()) {
    ConditionResult veto = evaluateCondition(condition, facts);
    if (veto.truth == Truth::Yes) {
      std::string text;
      llvm::raw_string_ostream(text) << condition;
      return "is vetoed: " + text + " holds";
    }
  }
  return "";
}

std::string Candidate::rejectByGain() {
  if (!diagnosis.timeUs)
    return "the kernel's time is neither measured nor estimated";
  if (diagnosis.boundUs && *diagnosis.timeUs <= kNearBound * *diagnosis.boundUs)
    return "the kernel takes " + us(*diagnosis.timeUs) +
           ", within 5 % of its bound of " + us(*diagnosis.boundUs);
  std::string served;
  for (Bottleneck bottleneck : skill.metadata.getServes())
    served +=
        (served.empty() ? "" : ", ") + stringifyBottleneck(bottleneck).str();
  // The greatest comes first.
  for (const HeldTime &held : diagnosis.held)
    if (llvm::is_contained(skill.metadata.getServes(), held.bottleneck)) {
      edit.bottleneck = held.bottleneck;
      edit.gainUs = held.us;
      break;
    }
  if (edit.gainUs <= 0)
    return "nothing that it serves (" + served + ") holds the kernel back";
  if (edit.kind == PlannedEdit::Kind::SetKnobs)
    edit.confidence *= kKnobsOnly;
  return "";
}

std::string Candidate::rejectByHistory() {
  auto failed = history.failedOnBase.find({skill.name, edit.dispatch});
  if (failed != history.failedOnBase.end())
    return "failed on this base: " + failed->second;
  const SkillReport &report = dispatch.skills.at(skill.name);
  if (report.settings.empty())
    return "no knob setting applies: " + report.refusal;
  std::vector<KnobAssignment> ordered = report.settings;
  if (edit.kind == PlannedEdit::Kind::SetKnobs)
    sortByDistance(ordered, listSteps(recipe)[edit.step].knobs);
  for (KnobAssignment &knobs : ordered) {
    KnobTrial trial{std::move(knobs), ""};
    auto edited = applyEdit(edit, trial, library, recipe);
    if (succeeded(edited))
      trial.hash = canonicalHash(**edited);
    if (!trial.hash.empty() && !history.judged.count(trial.hash) &&
        trial.hash != canonicalHash(recipe))
      edit.trials.push_back(std::move(trial));
  }
  return edit.trials.empty() ? "all its knob settings have been judged" : "";
}

std::string Candidate::reject() {
  for (auto check : {&Candidate::rejectByContract, &Candidate::rejectByPlace,
                     &Candidate::rejectByConditions, &Candidate::rejectByGain,
                     &Candidate::rejectByHistory})
    if (std::string reason = (this->*check)(); !reason.empty())
      return reason;
  edit.reason = "serves " + stringifyBottleneck(edit.bottleneck).str() +
                ", which holds back " + us(edit.gainUs) + " of " +
                us(*diagnosis.timeUs) +
                (diagnosis.measured ? " measured" : " estimated") + " (bound " +
                (diagnosis.boundUs ? us(*diagnosis.boundUs) : "not known") +
                "): " + skill.metadata.getWhy().getValue().str();
  return "";
}

FailureOr<OwningOpRef<ModuleOp>>
kernelskill::applyEdit(const PlannedEdit &edit, const KnobTrial &trial,
                       const SkillLibrary &library, ModuleOp recipe) {
  const Skill *skill = library.find(edit.skill);
  if (!skill)
    return recipe.emitError() << "there is no skill '" << edit.skill << "'";
  switch (edit.kind) {
  case PlannedEdit::Kind::AddStep:
    return addStep(recipe, skill->action, skill->name, skill->stage,
                   edit.dispatch, trial.knobs);
  case PlannedEdit::Kind::ReplaceStep:
    return replaceStep(recipe, edit.step, skill->action, skill->name,
                       trial.knobs);
  case PlannedEdit::Kind::SetKnobs:
    return setKnobs(recipe, edit.step, trial.knobs);
  }
  return failure();
}

/// Graph skills change what is a dispatch, so that no bottleneck of one says
/// what they would gain: the loop leaves them to recipes from outside.
static std::string rejectGraphSkill(const Skill &skill,
                                    const AnalysisReport &report) {
  auto match = report.graphMatches.find(skill.name);
  if (match == report.graphMatches.end())
    return "its matcher was not run here";
  if (!match->second.empty())
    return "does not match: " + match->second;
  return "matches, but changes the whole payload: its gain can't be told from "
         "one dispatch; put it in a recipe and give that as a candidate";
}

Decision kernelskill::plan(const AnalysisReport &report,
                           const Measurements &measurements,
                           const SkillLibrary &library, ModuleOp recipe,
                           const History &history) {
  AnalysisReport merged = withMeasurements(report, measurements);
  Decision decision;
  decision.diagnoses = diagnose(report, measurements);
  for (auto [dispatch, diagnosis] :
       llvm::zip(merged.dispatches, decision.diagnoses))
    for (const Skill &skill : library.all()) {
      if (skill.stage == Stage::Graph)
        continue; // of the whole payload: below
      Candidate candidate(skill, dispatch, diagnosis, recipe, library, history);
      std::string reason = candidate.reject();
      if (reason.empty())
        decision.edits.push_back(std::move(candidate.edit));
      else
        decision.rejections.push_back(
            {skill.name, dispatch.fingerprint, std::move(reason)});
    }
  for (const Skill &skill : library.all())
    if (skill.stage == Stage::Graph)
      decision.rejections.push_back(
          {skill.name, "", rejectGraphSkill(skill, report)});
  llvm::sort(decision.edits, [](const PlannedEdit &a, const PlannedEdit &b) {
    double gainA = a.gainUs * a.confidence, gainB = b.gainUs * b.confidence;
    if (gainA != gainB)
      return gainA > gainB;
    return std::tie(a.skill, a.dispatch) < std::tie(b.skill, b.dispatch);
  });
  if (decision.edits.empty()) {
    decision.summary = "no skill: all " +
                       std::to_string(decision.rejections.size()) +
                       " pairs of skill and dispatch are ruled out";
  } else {
    const PlannedEdit &chosen = decision.edits.front();
    decision.summary =
        chosen.skill + " on " + chosen.dispatch + ": " + chosen.reason;
  }
  return decision;
}

llvm::json::Object Decision::toJson() const {
  llvm::json::Array diagnosed, planned, rejected;
  for (const DispatchDiagnosis &diagnosis : diagnoses) {
    llvm::json::Object held;
    for (const HeldTime &time : diagnosis.held)
      held[stringifyBottleneck(time.bottleneck)] = time.us;
    diagnosed.push_back(
        llvm::json::Object{{"dispatch", diagnosis.fingerprint},
                           {"timeUs", ::toJson(diagnosis.timeUs)},
                           {"boundUs", ::toJson(diagnosis.boundUs)},
                           {"estimate", !diagnosis.measured},
                           {"heldUs", std::move(held)},
                           {"unknown", llvm::json::Array(diagnosis.unknown)}});
  }
  // The settings themselves are the plan's, of the edit that is chosen: of all
  // edits of a large program they would be most of a journal.
  for (const PlannedEdit &edit : edits)
    planned.push_back(
        llvm::json::Object{{"skill", edit.skill},
                           {"dispatch", edit.dispatch},
                           {"gainUs", edit.gainUs},
                           {"confidence", edit.confidence},
                           {"bottleneck", stringifyBottleneck(edit.bottleneck)},
                           {"reason", edit.reason},
                           {"settings", int64_t(edit.trials.size())}});
  for (const Rejection &rejection : rejections)
    rejected.push_back(llvm::json::Object{{"skill", rejection.skill},
                                          {"dispatch", rejection.dispatch},
                                          {"reason", rejection.reason}});
  return llvm::json::Object{{"summary", summary},
                            {"diagnoses", std::move(diagnosed)},
                            {"edits", std::move(planned)},
                            {"rejections", std::move(rejected)}};
}
