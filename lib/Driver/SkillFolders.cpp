// Finds and loads skills; see the header.
#include "SkillFolders.h"
#include "DiagnosticText.h"
#include "GuardedInput.h"
#include "OutputFile.h"
#include "PayloadFile.h"

using namespace llvm;
using namespace kernelskill;

/// Writes the embedded files out: the loader and its messages want files.
static Error unpackSkills(StringRef folder) {
  for (const EmbeddedSkill &skill : embeddedSkills()) {
    std::string path = joinPath(folder, skill.path);
    if (std::error_code error =
            sys::fs::create_directories(sys::path::parent_path(path)))
      return makeError(ExitCode::Input, path + ": " + error.message());
    if (Error error = writeFile(path, skill.text))
      return error;
  }
  return Error::success();
}

Expected<std::vector<std::string>>
kernelskill::skillFolders(ArrayRef<std::string> given, StringRef scratch) {
  std::vector<std::string> folders;
  for (const std::string &folder : given) {
    if (!sys::fs::is_directory(folder))
      return makeError(ExitCode::Input,
                       folder + ": is no folder; --skills takes folders");
    folders.push_back(folder);
  }
  std::string home =
      findInstalled("skills/strategy"); // not any folder "skills"
  if (!home.empty()) {
    folders.push_back(joinPath(home, "skills"));
  } else {
    folders.push_back(joinPath(scratch, "skills"));
    if (Error error = unpackSkills(folders.back()))
      return std::move(error);
  }
  if (!given.empty())
    if (Error error = checkSkillsGuarded(folders))
      return std::move(error);
  return folders;
}

Expected<SkillLibrary> kernelskill::loadSkills(mlir::MLIRContext &context,
                                               ArrayRef<std::string> folders) {
  DiagnosticText diagnostics(context);
  mlir::FailureOr<SkillLibrary> library = SkillLibrary::load(&context, folders);
  if (mlir::failed(library))
    return makeError(ExitCode::Input,
                     diagnostics.firstError("the skills can't be loaded") +
                         "; 'kernelskill-opt --kernelskill-verify-skills' "
                         "checks a skill file");
  return std::move(*library);
}

Numerics kernelskill::numericsOf(StringRef name) {
  std::string symbol = name.str();
  std::replace(symbol.begin(), symbol.end(), '-', '_');
  return symbolizeNumerics(symbol).value_or(Numerics::Fp32);
}
