// --kernelskill-apply-recipe: payload and recipe to the kernel stage.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Skills/ApplyRecipe.h"
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Skills/Recipe.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_APPLYRECIPEPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

namespace {
struct ApplyRecipePass
    : kernelskill::impl::ApplyRecipePassBase<ApplyRecipePass> {
  using ApplyRecipePassBase::ApplyRecipePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> loaded;
    if (recipe.empty()) {
      loaded = createEmptyRecipe(&getContext(), RecipeHeader());
    } else {
      auto read = readRecipe(&getContext(), recipe);
      if (failed(read))
        return signalPassFailure();
      loaded = std::move(*read);
    }
    LogicalResult applied = !loaded ? failure()
                            : dispatchesOnly
                                ? formDispatchStage(module, *loaded)
                                : applyRecipe(module, *loaded);
    if (failed(applied))
      signalPassFailure();
  }
};
} // namespace
