// What a file must be to be a skill.
#ifndef KERNELSKILL_SKILLS_SKILLCHECKS_H
#define KERNELSKILL_SKILLS_SKILLCHECKS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelskill {

/// The skill's name for the symbol of its action: coalesce-threads for
/// coalesce_threads.
std::string skillName(llvm::StringRef symbol);

/// Checks one file: one pair of matcher and action with the file's name, a
/// matcher that only reads, knobs with options, known chips. Returns the
/// action; errors are emitted at the ops they are about.
mlir::FailureOr<mlir::transform::NamedSequenceOp>
checkSkillModule(mlir::ModuleOp module, llvm::StringRef file);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_SKILLCHECKS_H
