// Where skills come from: the user's folders, then the skills that belong to
// kernelskill, beside it or inside the executable.
#ifndef KERNELSKILL_LIB_DRIVER_SKILLFOLDERS_H
#define KERNELSKILL_LIB_DRIVER_SKILLFOLDERS_H

#include "DriverError.h"
#include "KernelSkill/Skills/SkillLibrary.h"

namespace kernelskill {

/// The folders to load, in order: those of --skills, then our own: the one
/// beside the installation or, where there is none, a copy of the embedded
/// files under `scratch`. A folder that is not there is an input error.
llvm::Expected<std::vector<std::string>>
skillFolders(llvm::ArrayRef<std::string> given, llvm::StringRef scratch);

/// Loads the folders; one input error that names the place otherwise.
llvm::Expected<SkillLibrary> loadSkills(mlir::MLIRContext &context,
                                        llvm::ArrayRef<std::string> folders);

/// The dialect's enum of a numerics class that Verify knows.
Numerics numericsOf(llvm::StringRef name);

/// A skill file that was embedded when kernelskill was built.
struct EmbeddedSkill {
  const char *path; // relative to skills/
  const char *text;
};
/// Defined in a source that the build generates.
llvm::ArrayRef<EmbeddedSkill> embeddedSkills();

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_SKILLFOLDERS_H
