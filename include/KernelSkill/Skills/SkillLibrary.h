// The skills that are there: loaded from folders of .mlir files and checked.
#ifndef KERNELSKILL_SKILLS_SKILLLIBRARY_H
#define KERNELSKILL_SKILLS_SKILLLIBRARY_H

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace kernelskill {

/// One thing that can be tuned. Options are attribute texts ("4", "true"), the
/// preferred one first.
struct Knob {
  std::string name;
  std::vector<std::string> options;
};

/// One expert technique. The ops live as long as the library.
struct Skill {
  std::string name; // kebab case, as the file's
  std::string file;
  Stage stage;
  SkillAttr metadata;
  std::vector<Knob> knobs;
  mlir::transform::NamedSequenceOp matcher, action;
};

class SkillLibrary {
public:
  /// Loads all .mlir files of the folders (and their subfolders), in the given
  /// order: the user's folders come first. Problems of all files are emitted as
  /// diagnostics before this fails: broken IR, a missing half, a matcher that
  /// may write, a knob without options, an unknown feature, chip or skill, two
  /// skills of one name.
  static mlir::FailureOr<SkillLibrary>
  load(mlir::MLIRContext *context, llvm::ArrayRef<std::string> folders);

  /// By name.
  llvm::ArrayRef<Skill> all() const { return skills; }
  const Skill *find(llvm::StringRef name) const;

private:
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::vector<Skill> skills;
};

/// Runs the skill's matcher, which must not change the payload, on a dispatch
/// function or a gpu.func. Empty when it matches, else why it doesn't.
std::string whyNoMatch(const Skill &skill, mlir::Operation *target);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_SKILLLIBRARY_H
