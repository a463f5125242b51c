// Recipes: closed transform-dialect modules that say which skills were applied
// to which dispatch, with every knob resolved. See docs/recipes.md.
//
// Recipes are values: an edit returns a new module and leaves the old one as it
// was. Errors are emitted as diagnostics at the op they are about.
#ifndef KERNELSKILL_SKILLS_RECIPE_H
#define KERNELSKILL_SKILLS_RECIPE_H

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace kernelskill {

inline constexpr unsigned kRecipeVersion = 1;

/// Knob values by knob name, each as the text of an attribute: "4", "true",
/// "\"warp\"". Knobs that are not named keep their value.
using KnobAssignment = std::map<std::string, std::string>;

struct RecipeHeader {
  std::string payload; // payloadHash, or empty: fits any payload
  std::string chip = "sm_90a";
  Numerics numerics = Numerics::Fp32;
};

/// One step, as listed. `sequence` lives as long as the recipe.
struct RecipeStep {
  unsigned index;
  std::string skill;
  Stage stage;
  std::string dispatch; // fingerprint, empty for graph steps
  KnobAssignment knobs;
  mlir::transform::NamedSequenceOp sequence;
};

/// 16 hexadecimal digits over the payload's text, whatever its locations.
std::string payloadHash(mlir::ModuleOp payload);

/// The recipe without steps: every dispatch gets the default strategy.
mlir::OwningOpRef<mlir::ModuleOp> createEmptyRecipe(mlir::MLIRContext *context,
                                                    const RecipeHeader &header);
RecipeHeader recipeHeader(mlir::ModuleOp recipe);

/// Adds a step that clones `action` (a skill's action, in its own module, with
/// what it includes) after the last step of its stage.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
addStep(mlir::ModuleOp recipe, mlir::transform::NamedSequenceOp action,
        llvm::StringRef skill, Stage stage, llvm::StringRef dispatch,
        const KnobAssignment &knobs);
/// The same, in the place of step `index`, which has the same stage and target.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
replaceStep(mlir::ModuleOp recipe, unsigned index,
            mlir::transform::NamedSequenceOp action, llvm::StringRef skill,
            const KnobAssignment &knobs);
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
setKnobs(mlir::ModuleOp recipe, unsigned index, const KnobAssignment &knobs);
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
dropStep(mlir::ModuleOp recipe, unsigned index);

/// The steps in order. The recipe must be verified.
std::vector<RecipeStep> listSteps(mlir::ModuleOp recipe);

/// 16 hexadecimal digits over payload hash, chip, numerics and the ordered
/// steps with their targets, bodies and knob values (not the knobs' options).
std::string canonicalHash(mlir::ModuleOp recipe);

/// Checks version, chip, order of the steps (graph, strategy, refine), at most
/// one strategy a dispatch, knobs resolved, nothing but steps and what they
/// include.
mlir::LogicalResult verifyRecipe(mlir::ModuleOp recipe);

/// Parses and verifies a file, or a text whose name in messages is `name`.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readRecipe(mlir::MLIRContext *context, llvm::StringRef path);
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
parseRecipe(mlir::MLIRContext *context, llvm::StringRef text,
            llvm::StringRef name);
/// The text of a recipe, always the same for the same recipe.
std::string printRecipe(mlir::ModuleOp recipe);

/// {"payload", "chip", "numerics", "hash", "steps": [{"skill", "stage",
/// "dispatch", "knobs": {name: value}}]}, for reports and journals.
llvm::json::Object summarizeRecipe(mlir::ModuleOp recipe);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_RECIPE_H
