// Reads payloads; see the header.
#include "PayloadFile.h"
#include "ChildProcess.h"
#include "DiagnosticText.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/Recipe.h"
#include "OutputFile.h"

#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace kernelskill;

static constexpr double importSeconds = 600;

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
kernelskill::parseModule(StringRef path, mlir::MLIRContext &context) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError(ExitCode::Input,
                     path + ": " + buffer.getError().message());
  if ((*buffer)->getBuffer().trim().empty())
    return makeError(ExitCode::Input, path + ": file is empty");
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  DiagnosticText diagnostics(context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(
      sources, mlir::ParserConfig(&context));
  if (!module) {
    std::string problem =
        diagnostics.firstError((path + ": is no MLIR module").str());
    // MLIR's advice is an option that this tool does not have.
    size_t advice = problem.find(" If this is intended");
    if (advice != std::string::npos)
      problem = StringRef(problem).take_front(advice).rtrim('.').str() +
                "; a payload holds linalg, tensor, arith, math and scf on "
                "tensors, or gpu.funcs";
    return makeError(ExitCode::Input, problem);
  }
  return module;
}

std::string kernelskill::findInstalled(StringRef relative) {
  std::string folder = thisExecutable();
  for (int up = 0; up < 5 && sys::path::has_parent_path(folder); ++up) {
    folder = sys::path::parent_path(folder).str();
    if (sys::fs::exists(joinPath(folder, relative)))
      return folder;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

static Expected<std::string> findPython() {
  if (const char *given = getenv("KERNELSKILL_PYTHON")) {
    if (sys::fs::can_execute(given))
      return std::string(given);
    return makeError(ExitCode::Tool,
                     Twine("KERNELSKILL_PYTHON names ") + given +
                         ", which can't be executed; set it to a Python with "
                         "torch and torch-mlir");
  }
  std::string home = findInstalled(".venv/bin/python");
  if (!home.empty())
    return joinPath(home, ".venv/bin/python");
  return makeError(ExitCode::Tool,
                   "a .py needs the importer's Python (torch and torch-mlir); "
                   "run tools/quickstart.sh, which makes it, or set "
                   "KERNELSKILL_PYTHON");
}

Expected<std::vector<std::string>> kernelskill::importerCommand() {
  static constexpr StringLiteral script =
      "tools/kernelskill-import/kernelskill-import";
  std::string home = findInstalled(script);
  if (home.empty())
    return makeError(ExitCode::Tool,
                     "kernelskill-import is not beside this kernelskill; "
                     "import on a machine with the sources: "
                     "kernelskill-import MODEL.py -o payload.mlir");
  Expected<std::string> python = findPython();
  if (!python)
    return python.takeError();
  return std::vector<std::string>{*python, joinPath(home, script)};
}

/// The importer's own error line if it wrote one, else how it ended.
static std::string importerSaid(StringRef operand, const ChildEnd &end,
                                StringRef log) {
  std::string said = lastLines(log, 4000);
  size_t at = StringRef(said).rfind("kernelskill-import: error: ");
  if (at != StringRef::npos)
    return said.substr(at + strlen("kernelskill-import: error: "));
  return (operand + ": the importer " + end.describe() + ": " + lastLines(log))
      .str();
}

static Error importPython(const Options &options, StringRef output,
                          StringRef folder) {
  if (!sys::fs::exists(options.operand))
    return makeError(ExitCode::Input,
                     options.operand + ": no such file or directory");
  Expected<std::vector<std::string>> importer = importerCommand();
  if (!importer)
    return importer.takeError();
  std::vector<std::string> command = std::move(*importer);
  command.insert(command.end(), {options.operand, "-o", output.str()});
  for (const std::string &setting : options.all("--set")) {
    command.push_back("--set");
    command.push_back(setting);
  }
  if (options.has("--eval"))
    command.push_back("--eval");
  std::string log = joinPath(folder, "import.log");
  Expected<ChildProcess> child =
      ChildProcess::start(command, ChildLimits(), log, /*pipes=*/false);
  if (!child)
    return withCode(ExitCode::Internal, child.takeError());
  ChildEnd end =
      child->wait(Clock::now() + std::chrono::seconds(int(importSeconds)));
  if (end.ok())
    return Error::success();
  return makeError(ExitCode::Input, importerSaid(options.operand, end, log));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// What is no payload at all is said here; the passes check the rest.
static Error checkIsPayload(mlir::ModuleOp module, StringRef path) {
  SmallVector<mlir::func::FuncOp> functions;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  bool kernels = !module.getOps<mlir::gpu::GPUModuleOp>().empty();
  auto at = [&](mlir::Operation *op) {
    std::string place = placeOf(op->getLoc());
    return place.empty() ? path.str() : place;
  };
  if (functions.empty() && !kernels)
    return makeError(ExitCode::Input,
                     path + ": module holds no public function and no "
                            "gpu.module; a payload needs one of them");
  if (functions.size() > 1)
    return makeError(ExitCode::Input,
                     at(functions[1]) + ": second public function '" +
                         functions[1].getName() +
                         "'; a payload has one, make the others private");
  for (mlir::func::FuncOp function : functions) {
    auto types = function.getFunctionType();
    for (mlir::Type type :
         concat<const mlir::Type>(types.getInputs(), types.getResults())) {
      auto shaped = dyn_cast<mlir::ShapedType>(type);
      if (!shaped || shaped.hasStaticShape())
        continue;
      std::string text;
      raw_string_ostream(text) << type;
      return makeError(ExitCode::Input,
                       at(function) + ": type " + text +
                           " has a dynamic shape; give static sizes");
    }
  }
  return Error::success();
}

Expected<PayloadFile> kernelskill::loadPayload(const Options &options,
                                               StringRef folder) {
  PayloadFile payload;
  payload.given = options.operand;
  payload.path = joinPath(folder, "payload.mlir");
  StringRef ending = sys::path::extension(options.operand);
  std::string source = options.operand;
  if (ending == ".py") {
    source = joinPath(folder, "imported.mlir");
    if (Error error = importPython(options, source, folder))
      return std::move(error);
  } else if (options.has("--set") || options.has("--eval")) {
    return makeError(ExitCode::Usage, "--set and --eval are for a .py, found " +
                                          options.operand);
  }
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseModule(source, context);
  if (!module)
    return module.takeError();
  if (Error error = checkIsPayload(**module, options.operand))
    return std::move(error);
  payload.hash = payloadHash(**module);
  // With locations, so that later errors name the user's own file.
  std::string text;
  raw_string_ostream os(text);
  (*module)->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  if (Error error = writeFile(payload.path, text))
    return std::move(error);
  return payload;
}
