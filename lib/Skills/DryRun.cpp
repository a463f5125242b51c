// Tries a skill's knob settings on a copy of the module.
#include "DryRun.h"
#include "KnobSearch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace kernelskill;

/// What a strategy or refinement of the target can reach: the function itself,
/// or its kernels, who launches them, and what those launch.
static llvm::SetVector<Operation *> reachOf(Operation *target) {
  auto module = target->getParentOfType<ModuleOp>();
  Operation *top = target;
  while (top->getParentOp() != module)
    top = top->getParentOp();
  llvm::SetVector<Operation *> reach;
  reach.insert(top);
  auto kernels = dyn_cast<gpu::GPUModuleOp>(top);
  if (!kernels)
    return reach;
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    SmallVector<StringAttr> used;
    function.walk([&](gpu::LaunchFuncOp launch) {
      used.push_back(launch.getKernelModuleName());
    });
    if (!llvm::is_contained(used, kernels.getNameAttr()))
      continue;
    function.walk([&](func::CallOp call) {
      used.push_back(call.getCalleeAttr().getAttr());
    });
    reach.insert(function);
    for (StringAttr name : used)
      if (Operation *op = symbols.lookup(name))
        reach.insert(op);
  }
  return reach;
}

namespace {
/// Keeps the first error in `text`, and all diagnostics from the user.
struct FirstError : ScopedDiagnosticHandler {
  FirstError(MLIRContext &context, std::string &text)
      : ScopedDiagnosticHandler(&context, [&text](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              text.empty())
            text = diagnostic.str();
          return success();
        }) {}
};
} // namespace

SettingRecipes::SettingRecipes(const Skill &skill) {
  MLIRContext *context = skill.metadata.getContext();
  FirstError firstError(*context, refusal);
  OwningOpRef<ModuleOp> empty = createEmptyRecipe(context, RecipeHeader());
  for (KnobAssignment &knobs : knobSettings(skill.knobs, {})) {
    // Which dispatch the step names is not looked at here.
    auto recipe =
        addStep(*empty, skill.action, skill.name, skill.stage, "any", knobs);
    if (succeeded(recipe))
      settings.push_back({std::move(knobs), std::move(*recipe)});
  }
}

/// Applies one setting to a copy of the target and its surroundings, in a
/// module of their own: a program may have hundreds of other dispatches.
static LogicalResult tryOne(ModuleOp recipe, Operation *target,
                            ArrayRef<Operation *> reach) {
  IRMapping mapping;
  auto module = target->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy(ModuleOp::create(module.getLoc()));
  (*copy)->setAttrs(module->getAttrDictionary());
  OpBuilder builder((*copy).getBodyRegion());
  for (Operation *op : reach)
    builder.clone(*op, mapping);
  RecipeStep step = listSteps(recipe).front();
  if (failed(transform::applyTransformNamedSequence(
          mapping.lookup(target), step.sequence, recipe,
          transform::TransformOptions())))
    return failure();
  return verify(*copy);
}

DryRun kernelskill::dryRun(const SettingRecipes &recipes, Operation *target) {
  DryRun result;
  result.refusal = recipes.refusal;
  if (!target->hasAttr(kDispatchAttr))
    return result;
  FirstError firstError(*target->getContext(), result.refusal);
  llvm::SetVector<Operation *> reach = reachOf(target);
  for (const SettingRecipes::Setting &setting : recipes.settings)
    if (succeeded(tryOne(*setting.recipe, target, reach.getArrayRef())))
      result.settings.push_back(setting.knobs);
  return result;
}
