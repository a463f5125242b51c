// Edits of recipes. Every edit builds a new module out of the steps it keeps,
// so names and order come out the same however a recipe was reached.
#include "KernelSkill/Skills/Recipe.h"
#include "RecipeKnobs.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelskill;
using transform::NamedSequenceOp;

namespace {
/// A step of the recipe to be built. `sequence` is a skill's action or a step
/// of another recipe; what it includes lies beside it.
struct StepSource {
  NamedSequenceOp sequence;
  StepAttr step;
  KnobAssignment knobs;
};
} // namespace

/// The named sequences that `root` includes, directly or not, in the order in
/// which they are met.
static llvm::SmallSetVector<Operation *, 4> includedBy(NamedSequenceOp root) {
  llvm::SmallSetVector<Operation *, 4> found;
  SmallVector<Operation *> worklist{root};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    auto uses = SymbolTable::getSymbolUses(&op->getRegion(0));
    for (const SymbolTable::SymbolUse &use :
         uses ? *uses : SymbolTable::UseRange({})) {
      Operation *callee = SymbolTable::lookupNearestSymbolFrom(
          root->getParentOp(), use.getSymbolRef());
      if (callee && callee != root && isa<NamedSequenceOp>(callee) &&
          found.insert(callee))
        worklist.push_back(callee);
    }
  }
  return found;
}

/// Clones one step and what it includes to the end of `recipe`.
static LogicalResult appendStep(OpBuilder &builder, unsigned index,
                                const StepSource &source) {
  std::string name = ("step_" + Twine(index)).str();
  SmallVector<std::pair<StringAttr, StringAttr>> renamed;
  SmallVector<NamedSequenceOp> clones;
  auto clone = [&](Operation *op, StringRef newName) {
    auto copy = cast<NamedSequenceOp>(builder.clone(*op));
    renamed.push_back(
        {SymbolTable::getSymbolName(op), builder.getStringAttr(newName)});
    copy->removeAttr(kSkillAttr);
    copy.setSymName(newName);
    clones.push_back(copy);
  };
  clone(source.sequence, name);
  clones.front()->setAttr(kStepAttr, source.step);
  for (auto [i, op] : llvm::enumerate(includedBy(source.sequence)))
    clone(op, (name + "_" + Twine(i)).str());
  for (NamedSequenceOp copy : clones)
    for (auto [from, to] : renamed)
      if (failed(
              SymbolTable::replaceAllSymbolUses(from, to, &copy->getRegion(0))))
        return copy.emitError()
               << "can't rename the sequences that this one includes";
  return resolveKnobs(clones, source.knobs);
}

static FailureOr<OwningOpRef<ModuleOp>>
buildRecipe(RecipeAttr header, Location loc, ArrayRef<StepSource> steps) {
  OwningOpRef<ModuleOp> recipe = ModuleOp::create(loc);
  (*recipe)->setAttr(kRecipeAttr, header);
  (*recipe)->setAttr(transform::TransformDialect::kWithNamedSequenceAttrName,
                     UnitAttr::get(header.getContext()));
  OpBuilder builder = OpBuilder::atBlockEnd(recipe->getBody());
  for (auto [index, step] : llvm::enumerate(steps))
    if (failed(appendStep(builder, index, step)))
      return failure();
  if (failed(verifyRecipe(*recipe)))
    return failure();
  return recipe;
}

static RecipeAttr headerOf(ModuleOp recipe) {
  return cast<RecipeAttr>(recipe->getAttr(kRecipeAttr));
}

static std::vector<StepSource> sourcesOf(ModuleOp recipe) {
  std::vector<StepSource> sources;
  for (const RecipeStep &step : listSteps(recipe))
    sources.push_back(
        {step.sequence, step.sequence->getAttrOfType<StepAttr>(kStepAttr), {}});
  return sources;
}

/// Checks an index that a caller gave.
static LogicalResult checkIndex(ModuleOp recipe, unsigned index, size_t count) {
  if (index < count)
    return success();
  return recipe.emitError() << "the recipe has " << count
                            << " steps, and there is no step " << index;
}

OwningOpRef<ModuleOp>
kernelskill::createEmptyRecipe(MLIRContext *context,
                               const RecipeHeader &header) {
  context->getOrLoadDialect<KernelSkillDialect>();
  context->getOrLoadDialect<transform::TransformDialect>();
  auto attribute = RecipeAttr::get(context, kRecipeVersion, header.payload,
                                   header.chip, header.numerics);
  auto recipe = buildRecipe(attribute, UnknownLoc::get(context), {});
  return succeeded(recipe) ? std::move(*recipe) : OwningOpRef<ModuleOp>();
}

RecipeHeader kernelskill::recipeHeader(ModuleOp recipe) {
  RecipeAttr header = headerOf(recipe);
  return {header.getPayload().str(), header.getChip().str(),
          header.getNumerics()};
}

FailureOr<OwningOpRef<ModuleOp>>
kernelskill::addStep(ModuleOp recipe, NamedSequenceOp action, StringRef skill,
                     Stage stage, StringRef dispatch,
                     const KnobAssignment &knobs) {
  std::vector<StepSource> steps = sourcesOf(recipe);
  auto place = llvm::find_if(steps, [&](const StepSource &step) {
    return step.step.getStage() > stage;
  });
  steps.insert(place,
               {action,
                StepAttr::get(recipe.getContext(), skill, stage, dispatch),
                knobs});
  return buildRecipe(headerOf(recipe), recipe.getLoc(), steps);
}

FailureOr<OwningOpRef<ModuleOp>>
kernelskill::replaceStep(ModuleOp recipe, unsigned index,
                         NamedSequenceOp action, StringRef skill,
                         const KnobAssignment &knobs) {
  std::vector<StepSource> steps = sourcesOf(recipe);
  if (failed(checkIndex(recipe, index, steps.size())))
    return failure();
  StepAttr old = steps[index].step;
  steps[index] = {action,
                  StepAttr::get(recipe.getContext(), skill, old.getStage(),
                                old.getDispatch()),
                  knobs};
  return buildRecipe(headerOf(recipe), recipe.getLoc(), steps);
}

FailureOr<OwningOpRef<ModuleOp>>
kernelskill::setKnobs(ModuleOp recipe, unsigned index,
                      const KnobAssignment &knobs) {
  std::vector<StepSource> steps = sourcesOf(recipe);
  if (failed(checkIndex(recipe, index, steps.size())))
    return failure();
  steps[index].knobs = knobs;
  return buildRecipe(headerOf(recipe), recipe.getLoc(), steps);
}

FailureOr<OwningOpRef<ModuleOp>> kernelskill::dropStep(ModuleOp recipe,
                                                       unsigned index) {
  std::vector<StepSource> steps = sourcesOf(recipe);
  if (failed(checkIndex(recipe, index, steps.size())))
    return failure();
  steps.erase(steps.begin() + index);
  return buildRecipe(headerOf(recipe), recipe.getLoc(), steps);
}
