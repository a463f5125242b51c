// `optimize IN`: the command line of the loop.
#include "Commands.h"
#include "DiagnosticText.h"
#include "GuardedInput.h"
#include "Interrupt.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Verify/Numerics.h"
#include "Optimize.h"
#include "OutputFile.h"

using namespace llvm;
using namespace kernelskill;

/// Reads the recipes of --candidate, which must be for this payload and chip.
static Expected<std::vector<Trial>>
readCandidates(const Options &options, const SearchSettings &settings,
               StringRef chip, mlir::MLIRContext &context) {
  std::vector<Trial> trials;
  for (const std::string &path : options.all("--candidate")) {
    if (!sys::fs::exists(path))
      return makeError(ExitCode::Input, path + ": no such file or directory");
    if (Error error = checkRecipeGuarded(path))
      return std::move(error);
    DiagnosticText diagnostics(context);
    auto recipe = readRecipe(&context, path);
    if (mlir::failed(recipe))
      return makeError(ExitCode::Input,
                       diagnostics.firstError(path + ": is no recipe"));
    RecipeHeader header = recipeHeader(**recipe);
    if (!header.payload.empty() && header.payload != settings.payload.hash)
      return makeError(ExitCode::Input, path + ": recipe is for the payload " +
                                            header.payload + ", this one is " +
                                            settings.payload.hash);
    if (header.chip != chip)
      return makeError(ExitCode::Input, path + ": recipe is for chip '" +
                                            header.chip + "', asked is '" +
                                            chip + "'; name it with --chip");
    Trial trial;
    trial.hash = canonicalHash(**recipe);
    trial.recipe = printRecipe(**recipe);
    trial.edit = ("candidate " + sys::path::filename(path)).str();
    trials.push_back(std::move(trial));
  }
  return trials;
}

static Expected<SearchSettings> readSettings(const Options &options) {
  SearchSettings settings;
  settings.json = options.json();
  settings.fresh = options.has("--fresh");
  settings.chip = options.get("--chip");
  settings.device = options.get("--device", "auto");
  settings.numerics = options.get("--numerics", "fp32");
  settings.skills = options.all("--skills");
  if (!settings.chip.empty())
    if (Expected<const Chip *> chip = findChip(settings.chip); !chip)
      return withCode(ExitCode::Input, chip.takeError());
  if (auto numerics = findNumerics(settings.numerics); !numerics)
    return withCode(ExitCode::Usage, numerics.takeError());
  Expected<unsigned> rounds = options.number("--rounds", 15, 0);
  if (!rounds)
    return rounds.takeError();
  settings.rounds = *rounds;
  Expected<double> budget = options.seconds("--budget", 60);
  if (!budget)
    return budget.takeError();
  settings.budgetSeconds = *budget;
  settings.folder = options.get("-o");
  if (settings.folder.empty()) {
    SmallString<128> folder(sys::path::filename(options.operand));
    sys::path::replace_extension(folder, "out");
    settings.folder = std::string(folder);
  }
  return settings;
}

Expected<ExitCode> kernelskill::runOptimize(const Options &options) {
  Expected<SearchSettings> settings = readSettings(options);
  if (!settings)
    return settings.takeError();
  catchInterrupts();
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch)
    return scratch.takeError();
  Expected<PayloadFile> payload = loadPayload(options, scratch->path());
  if (!payload)
    return payload.takeError();
  settings->payload = std::move(*payload);
  if (Error error = makeFolder(settings->folder))
    return std::move(error);
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Expected<std::unique_ptr<Search>> search = Search::open(*settings, context);
  if (!search)
    return search.takeError();
  auto candidates =
      readCandidates(options, *settings, (*search)->options().chip, context);
  if (!candidates)
    return candidates.takeError();
  if (Error error = optimize(**search, *candidates)) {
    // What was found before, say, the device was lost is kept. A failure to
    // write it is not told: the error that ended the run is.
    if ((*search)->best())
      consumeError((*search)->writeResults());
    return std::move(error);
  }
  if (Error error = (*search)->writeResults())
    return std::move(error);
  if (options.json())
    printJson((*search)->report());
  else
    (*search)->printSummary(outs());
  return interrupted() ? ExitCode::Cut : ExitCode::Success;
}
