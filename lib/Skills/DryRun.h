// Tries a skill's knob settings on a copy of the module, so that only those
// that apply are planned.
#ifndef KERNELSKILL_SKILLS_DRYRUN_H
#define KERNELSKILL_SKILLS_DRYRUN_H

#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Skills/SkillLibrary.h"

namespace kernelskill {

/// The recipe of each of a skill's settings, made once for all targets.
struct SettingRecipes {
  explicit SettingRecipes(const Skill &skill);
  struct Setting {
    KnobAssignment knobs;
    mlir::OwningOpRef<mlir::ModuleOp> recipe; // of one step
  };
  std::vector<Setting> settings; // in the order of preference
  std::string refusal;           // what was said of a setting without a recipe
};

struct DryRun {
  /// Settings that apply, in the order of preference.
  std::vector<KnobAssignment> settings;
  /// Why the first setting that doesn't apply doesn't.
  std::string refusal;
};

/// `target` is a dispatch function or a kernel that the skill matches. Nothing
/// is changed.
DryRun dryRun(const SettingRecipes &recipes, mlir::Operation *target);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_DRYRUN_H
