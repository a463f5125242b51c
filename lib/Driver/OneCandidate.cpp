// Builds one candidate for a command; see the header.
#include "OneCandidate.h"
#include "DiagnosticText.h"
#include "GuardedInput.h"
#include "Interrupt.h"
#include "KernelSkill/Analysis/Chip.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Verify/Numerics.h"
#include "SkillFolders.h"

using namespace llvm;
using namespace kernelskill;

static Expected<RecipeHeader> readHeader(StringRef path) {
  if (!sys::fs::exists(path))
    return makeError(ExitCode::Input, path + ": no such file or directory");
  if (Error error = checkRecipeGuarded(path))
    return std::move(error);
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticText diagnostics(context);
  auto recipe = readRecipe(&context, path);
  if (mlir::failed(recipe))
    return makeError(ExitCode::Input,
                     diagnostics.firstError((path + ": is no recipe").str()));
  return recipeHeader(**recipe);
}

Expected<OneCandidate> OneCandidate::build(const Options &options,
                                           StringRef otherwise,
                                           bool trySkills) {
  catchInterrupts(); // so that the folder is removed
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch)
    return scratch.takeError();
  OneCandidate candidate(std::move(*scratch));
  BuildSettings &settings = candidate.settings;
  settings.chip = options.get("--chip");
  settings.numerics = options.get("--numerics", "fp32");
  if (auto numerics = findNumerics(settings.numerics); !numerics)
    return withCode(ExitCode::Usage, numerics.takeError());
  std::string recipe = options.get("--recipe");
  if (!recipe.empty()) {
    Expected<RecipeHeader> header = readHeader(recipe);
    if (!header)
      return header.takeError();
    if (settings.chip.empty())
      settings.chip = header->chip;
    if (settings.chip != header->chip)
      return makeError(ExitCode::Input, recipe + ": recipe is for chip '" +
                                            header->chip + "', --chip says '" +
                                            settings.chip + "'");
  }
  if (settings.chip.empty())
    settings.chip = otherwise.str();
  if (Expected<const Chip *> chip = findChip(settings.chip); !chip)
    return withCode(ExitCode::Input, chip.takeError());
  Expected<PayloadFile> payload =
      loadPayload(options, candidate.scratch.path());
  if (!payload)
    return payload.takeError();
  candidate.payload = std::move(*payload);
  settings.payload = candidate.payload.path;
  if (trySkills) {
    auto folders =
        skillFolders(options.all("--skills"), candidate.scratch.path());
    if (!folders)
      return folders.takeError();
    settings.skills = std::move(*folders);
  }
  Expected<BuildJob> job =
      BuildJob::candidate(settings, recipe, candidate.folder());
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  if (!outcome.ok())
    return asError(outcome);
  return candidate;
}

Error OneCandidate::buildOracle() const {
  Expected<BuildJob> job =
      BuildJob::oracle(settings, joinPath(folder(), "oracle"));
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  return outcome.ok() ? Error::success() : asError(outcome);
}
