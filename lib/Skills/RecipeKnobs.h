// Knobs of named sequences: their options and selected values.
#ifndef KERNELSKILL_SKILLS_RECIPEKNOBS_H
#define KERNELSKILL_SKILLS_RECIPEKNOBS_H

#include "KernelSkill/Skills/Recipe.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace kernelskill {

/// The text that a knob value has in assignments: 4, true, "warp".
std::string knobText(mlir::Attribute value);

/// Selects the assigned value of each knob in the sequences; a knob that has
/// neither an assignment nor a value gets its first option. An error, at the
/// knob, when the value is none of the options, or a name is no knob.
mlir::LogicalResult
resolveKnobs(llvm::ArrayRef<mlir::transform::NamedSequenceOp> sequences,
             const KnobAssignment &knobs);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_RECIPEKNOBS_H
