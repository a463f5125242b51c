// `explain IN`: dispatches, features, bounds, bottlenecks, and which skills
// apply or why not. Needs no device: times are the model's.
#include "Commands.h"
#include "DiagnosticText.h"
#include "KernelSkill/Driver/Registration.h"
#include "OneCandidate.h"
#include "Search.h"
#include "SkillFolders.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace kernelskill;

static std::string numberText(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.6g", value);
  return text;
}

static void printFeatures(const FeatureSet &features, StringRef indent) {
  std::string line = indent.str();
  for (const auto &[feature, value] : features.all()) {
    std::string text =
        feature == Feature::Kind
            ? stringifyDispatchKind(DispatchKind(unsigned(value))).str()
            : numberText(value);
    std::string entry = formatv("{0} = {1}  ", stringifyFeature(feature), text);
    if (line.size() + entry.size() > 100) {
      outs() << line << "\n";
      line = indent.str();
    }
    line += entry;
  }
  outs() << line << "\n";
}

static void printDispatch(const DispatchReport &dispatch,
                          const Decision &decision) {
  outs() << "dispatch " << dispatch.function << " ("
         << stringifyDispatchKind(dispatch.kind) << ", " << dispatch.fingerprint
         << "), run " << dispatch.instances << " time"
         << (dispatch.instances == 1 ? "" : "s") << "\n";
  printFeatures(dispatch.work, "  work: ");
  for (const KernelReport &kernel : dispatch.kernels)
    printFeatures(kernel.features, "  kernel " + kernel.name + ": ");
  for (const DispatchDiagnosis &diagnosis : decision.diagnoses) {
    if (diagnosis.fingerprint != dispatch.fingerprint)
      continue;
    auto text = [](std::optional<double> us) {
      return us ? formatv("{0:F2} us", *us).str() : "not known";
    };
    outs() << "  time " << text(diagnosis.timeUs) << " (estimate), bound "
           << text(diagnosis.boundUs) << "\n";
    for (const HeldTime &held : diagnosis.held)
      outs() << formatv("  held back {0:F2} us by {1}\n", held.us,
                        stringifyBottleneck(held.bottleneck));
    for (const std::string &unknown : diagnosis.unknown)
      outs() << "  unknown: " << unknown << "\n";
  }
  for (const PlannedEdit &edit : decision.edits)
    if (edit.dispatch == dispatch.fingerprint)
      outs() << "  applies: " << edit.skill << ": " << edit.reason << "\n";
  for (const Rejection &rejection : decision.rejections)
    if (rejection.dispatch == dispatch.fingerprint)
      outs() << "  not: " << rejection.skill << ": " << rejection.reason
             << "\n";
}

Expected<ExitCode> kernelskill::runExplain(const Options &options) {
  Expected<OneCandidate> candidate =
      OneCandidate::build(options, "sm_90a", /*trySkills=*/true);
  if (!candidate)
    return candidate.takeError();
  Expected<AnalysisReport> report =
      readAnalysis(joinPath(candidate->folder(), "analysis.json"));
  if (!report)
    return withCode(ExitCode::Internal, report.takeError());
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Expected<SkillLibrary> library =
      loadSkills(context, candidate->settings.skills);
  if (!library)
    return library.takeError();
  DiagnosticText diagnostics(context);
  auto recipe =
      readRecipe(&context, joinPath(candidate->folder(), "recipe.mlir"));
  if (mlir::failed(recipe))
    return makeError(ExitCode::Internal,
                     diagnostics.firstError("the recipe can't be read back"));
  Decision decision =
      plan(*report, Measurements(), *library, **recipe, History());
  if (options.json()) {
    printJson(json::Object{{"estimate", true},
                           {"analysis", report->toJson()},
                           {"recipe", summarizeRecipe(**recipe)},
                           {"decision", decision.toJson()}});
    return ExitCode::Success;
  }
  outs() << candidate->payload.given << " for " << report->chip << "\n";
  for (const DispatchReport &dispatch : report->dispatches)
    printDispatch(dispatch, decision);
  for (const Rejection &rejection : decision.rejections)
    if (rejection.dispatch.empty())
      outs() << "not: " << rejection.skill << ": " << rejection.reason << "\n";
  outs() << decision.summary << "\n";
  return ExitCode::Success;
}
