// `build-candidate`, a child of the driver: builds one candidate and leaves its
// files in a folder. How it ended is in result.json; if this process dies, the
// stage that it had reached is in the file `stage`.
#include "Commands.h"
#include "Compile.h"
#include "DiagnosticText.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Verify/Oracle.h"
#include "OutputFile.h"
#include "PayloadFile.h"
#include "SkillFolders.h"

using namespace llvm;
using namespace kernelskill;

namespace {
/// The folder that a build child leaves its files in.
struct BuildFolder {
  std::string path;
  std::string currentStage;

  void enter(StringRef stage) {
    currentStage = stage.str();
    consumeError(writeFile(joinPath(path, "stage"), stage));
  }
  /// Writes how the build ended; the child's exit code says the same.
  Expected<ExitCode> finish(Outcome verdict, ExitCode code, StringRef reason) {
    std::string text = formatv(
        "{0}\n", json::Value(json::Object{{"verdict", outcomeName(verdict)},
                                          {"exit_code", int64_t(code)},
                                          {"stage", currentStage},
                                          {"reason", reason}}));
    if (Error error = writeFile(joinPath(path, "result.json"), text))
      return std::move(error);
    return code;
  }
  Expected<ExitCode> fail(Outcome verdict, Error error) {
    ExitCode code = ExitCode::Input;
    std::string reason;
    handleAllErrors(
        std::move(error),
        [&](const DriverError &failure) {
          code = failure.code;
          reason = failure.message;
        },
        [&](const ErrorInfoBase &other) { reason = other.message(); });
    return finish(verdict, code, reason);
  }
};
} // namespace

static Error writeCompiled(const Compiled &compiled, mlir::ModuleOp recipe,
                           StringRef folder) {
  auto write = [&](StringRef name, StringRef text) {
    return writeFile(joinPath(folder, name), text);
  };
  std::string analysis =
      formatv("{0:2}\n", json::Value(compiled.report.toJson()));
  if (Error error = write("analysis.json", analysis))
    return error;
  if (Error error = write("recipe.mlir", printRecipe(recipe)))
    return error;
  using Kind = ImageRecord::Kind;
  for (auto [kind, name] : {std::pair<Kind, StringRef>{Kind::Ptx, "kernel.ptx"},
                            {Kind::Cubin, "kernel.cubin"}})
    if (const ImageRecord *image = compiled.program.image(kind))
      if (Error error = write(name, image->bytes))
        return error;
  return writeProgram(compiled.program, joinPath(folder, "program.ksp"));
}

/// What both build children lower with; a missing ptxas is said here.
static Expected<LoweringOptions> loweringOptions(const Options &options) {
  LoweringOptions lowering;
  lowering.chip = options.get("--chip", "sm_90a");
  lowering.cpu = !options.has("--no-cpu");
  lowering.ptx = lowering.cubin = !options.has("--no-ptx");
  if (Error error = checkTarget(lowering))
    return withCode(ExitCode::Input, std::move(error));
  if (lowering.cubin)
    for (auto find : {findPtxas, findLibdevice}) {
      Expected<std::string> tool = find();
      if (!tool)
        return withCode(ExitCode::Tool, tool.takeError());
    }
  return lowering;
}

/// The recipe that was asked for, or the empty one, for this payload.
static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadRecipe(const Options &options, mlir::ModuleOp payload, StringRef numerics) {
  mlir::MLIRContext *context = payload.getContext();
  if (!options.has("--recipe")) {
    RecipeHeader header;
    header.payload = payloadHash(payload);
    header.chip = options.get("--chip", "sm_90a");
    header.numerics = numericsOf(numerics);
    return createEmptyRecipe(context, header);
  }
  DiagnosticText diagnostics(*context);
  auto recipe = readRecipe(context, options.get("--recipe"));
  if (mlir::failed(recipe))
    return makeError(
        ExitCode::Input,
        diagnostics.firstError(options.get("--recipe") + ": is no recipe"));
  return std::move(*recipe);
}

static Expected<ExitCode> build(const Options &options, BuildFolder &folder) {
  folder.enter("parse");
  Expected<LoweringOptions> lowering = loweringOptions(options);
  if (!lowering)
    return folder.fail(Outcome::CompileError, lowering.takeError());
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  registerPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto payload = parseModule(options.operand, context);
  if (!payload)
    return folder.fail(Outcome::CompileError, payload.takeError());
  std::string numerics = options.get("--numerics", "fp32");
  auto recipe = loadRecipe(options, **payload, numerics);
  if (!recipe)
    return folder.fail(Outcome::Refused, recipe.takeError());
  auto library = loadSkills(context, options.all("--skills"));
  if (!library)
    return folder.fail(Outcome::CompileError, library.takeError());
  bool empty = listSteps(**recipe).empty();
  DiagnosticText diagnostics(context);
  auto compiled = compile(
      CompileInputs{**payload, **recipe, &*library, *lowering, numerics},
      [&](StringRef stage) { folder.enter(stage); });
  if (mlir::failed(compiled)) {
    bool applying =
        folder.currentStage == "dispatch" || folder.currentStage == "kernel";
    return folder.finish(
        applying && !empty ? Outcome::Refused : Outcome::CompileError,
        ExitCode::Input,
        diagnostics.firstError("stage '" + folder.currentStage +
                               "' failed without a word"));
  }
  folder.enter("write");
  if (Error error = writeCompiled(*compiled, **recipe, folder.path))
    return folder.fail(Outcome::CompileError, std::move(error));
  return folder.finish(Outcome::Right, ExitCode::Success, "");
}

Expected<ExitCode> kernelskill::runBuildCandidate(const Options &options) {
  BuildFolder folder{options.get("-o"), ""};
  return build(options, folder);
}

static Expected<ExitCode> buildJudge(const Options &options,
                                     BuildFolder &folder) {
  folder.enter("parse");
  Expected<LoweringOptions> lowering = loweringOptions(options);
  if (!lowering)
    return folder.fail(Outcome::CompileError, lowering.takeError());
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  registerPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto payload = parseModule(options.operand, context);
  if (!payload)
    return folder.fail(Outcome::CompileError, payload.takeError());
  folder.enter("oracle");
  DiagnosticText diagnostics(context);
  auto programs =
      buildOracle(**payload, *lowering, options.get("--numerics", "fp32"));
  if (mlir::failed(programs))
    return folder.finish(Outcome::CompileError, ExitCode::Input,
                         diagnostics.firstError("the oracle can't be built"));
  if (Error error = writeOracle(*programs, folder.path))
    return folder.fail(Outcome::CompileError, std::move(error));
  return folder.finish(Outcome::Right, ExitCode::Success, "");
}

Expected<ExitCode> kernelskill::runBuildOracle(const Options &options) {
  BuildFolder folder{options.get("-o"), ""};
  return buildJudge(options, folder);
}
