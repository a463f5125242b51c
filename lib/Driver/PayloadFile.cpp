// Reads payloads; see the header.
#include "PayloadFile.h"
#include "ChildProcess.h"
#include "DiagnosticText.h"
#include "GuardedInput.h"
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
  Expected<ReadPayload> read =
      readPayloadGuarded(source, options.operand, folder);
  if (!read)
    return read.takeError();
  payload.hash = std::move(read->hash);
  return payload;
}
