// --kernelskill-plan: chooses the next edit of a recipe, says why, and why not
// the others.
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Skills/Policy.h"
#include "KernelSkill/Skills/StageAnalysis.h"
#include "RecipeKnobs.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_PLANPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

/// Knob settings as dictionaries, in the order in which they are to be tried.
static ArrayAttr toAttribute(ArrayRef<KnobTrial> trials, MLIRContext *context) {
  SmallVector<Attribute> settings;
  for (const KnobTrial &trial : trials) {
    NamedAttrList knobs;
    for (const auto &[name, value] : trial.knobs)
      knobs.set(name, parseAttribute(value, context));
    settings.push_back(knobs.getDictionary(context));
  }
  return ArrayAttr::get(context, settings);
}

static PlanAttr toAttribute(const Decision &decision, MLIRContext *context) {
  if (decision.edits.empty())
    return PlanAttr::get(context, "", "", ArrayAttr::get(context, {}),
                         decision.summary);
  const PlannedEdit &edit = decision.edits.front();
  return PlanAttr::get(context, edit.skill, edit.dispatch,
                       toAttribute(edit.trials, context), edit.reason);
}

/// One remark a decision: chosen, kept in reserve, or ruled out.
static void report(Location loc, const Decision &decision) {
  for (auto [i, edit] : llvm::enumerate(decision.edits)) {
    remark::RemarkOpts options = remark::RemarkOpts::name(edit.skill)
                                     .category("kernelskill-plan")
                                     .function(edit.dispatch);
    if (i == 0)
      remark::passed(loc, options) << "chosen: " + edit.reason;
    else
      remark::missed(loc, options) << "not now: " + edit.reason;
  }
  for (const Rejection &rejection : decision.rejections)
    remark::missed(loc, remark::RemarkOpts::name(rejection.skill)
                            .category("kernelskill-plan")
                            .function(rejection.dispatch))
        << rejection.reason;
}

static LogicalResult writeRecipe(ModuleOp recipe, StringRef path) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << printRecipe(recipe);
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return emitError(recipe.getLoc())
           << "can't write the recipe '" << path << "': " << error.message();
  return success();
}

namespace {
struct PlanPass : kernelskill::impl::PlanPassBase<PlanPass> {
  using PlanPassBase::PlanPassBase;

  void runOnOperation() override {
    if (failed(decide()))
      signalPassFailure();
  }

  LogicalResult decide() {
    ModuleOp module = getOperation();
    OwningOpRef<ModuleOp> base;
    if (recipe.empty()) {
      RecipeHeader header;
      header.chip = chip;
      base = createEmptyRecipe(&getContext(), header);
      if (!base)
        return failure();
    } else {
      auto read = readRecipe(&getContext(), recipe);
      if (failed(read))
        return failure();
      base = std::move(*read);
    }
    auto target = findChip(recipeHeader(*base).chip);
    if (!target)
      return module.emitError() << llvm::toString(target.takeError());
    std::vector<std::string> folders(skills.begin(), skills.end());
    auto library = SkillLibrary::load(&getContext(), folders);
    if (failed(library))
      return failure();
    auto analyzed = analyzeModule(module, *base, **target, *library);
    if (failed(analyzed))
      return failure();
    History history;
    history.judged.insert(judged.begin(), judged.end());
    Decision decision =
        plan(*analyzed, measurementsOf(module), *library, *base, history);
    report(module.getLoc(), decision);
    module->setAttr(kPlanAttr, toAttribute(decision, &getContext()));
    if (output.empty() || decision.edits.empty())
      return output.empty() ? success() : writeRecipe(*base, output);
    const PlannedEdit &edit = decision.edits.front();
    auto edited = applyEdit(edit, edit.trials.front(), *library, *base);
    return failed(edited) ? failure() : writeRecipe(**edited, output);
  }
};
} // namespace
