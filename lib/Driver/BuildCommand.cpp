// `build IN -o DIR`: payload + recipe → program, PTX and cubin.
#include "BuildJob.h"
#include "Commands.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "OneCandidate.h"
#include "OutputFile.h"

using namespace llvm;
using namespace kernelskill;

Expected<ExitCode> kernelskill::runBuild(const Options &options) {
  if (!options.has("-o"))
    return makeError(ExitCode::Usage, "'build' needs -o DIR; see "
                                      "'kernelskill help build'");
  std::string folder = options.get("-o");
  Expected<OneCandidate> candidate = OneCandidate::build(options, "sm_90a");
  if (!candidate)
    return candidate.takeError();
  if (Error error = makeFolder(folder))
    return std::move(error);
  json::Object files;
  for (StringRef name : {"program.ksp", "kernel.ptx", "kernel.cubin",
                         "recipe.mlir", "analysis.json"}) {
    Expected<std::string> bytes = readFile(joinPath(candidate->folder(), name));
    if (!bytes)
      return bytes.takeError();
    std::string path = joinPath(folder, name);
    if (Error error = writeFile(path, *bytes))
      return std::move(error);
    files[name] = path;
  }
  Expected<Program> program = readProgram(joinPath(folder, "program.ksp"));
  if (!program)
    return withCode(ExitCode::Internal, program.takeError());
  if (options.json()) {
    json::Array kernels;
    for (const KernelRecord &kernel : program->kernels)
      kernels.push_back(
          json::Object{{"name", kernel.name},
                       {"dispatch", kernel.dispatch},
                       {"registers", int64_t(kernel.registers)},
                       {"spill_bytes", int64_t(kernel.spillBytes)},
                       {"static_shared", int64_t(kernel.staticShared)}});
    printJson(json::Object{{"files", std::move(files)},
                           {"payload_hash", program->payloadHash},
                           {"recipe_hash", program->recipeHash},
                           {"kernels", std::move(kernels)}});
    return ExitCode::Success;
  }
  outs() << formatv("{0} kernels, {1} steps for {2}\n", program->kernels.size(),
                    program->steps.size(), candidate->settings.chip);
  for (const auto &[name, path] : files)
    outs() << "  " << path.getAsString().value_or("") << "\n";
  return ExitCode::Success;
}
