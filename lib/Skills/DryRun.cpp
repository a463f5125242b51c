// Tries a skill's knob settings on a copy of the module.
#include "DryRun.h"
#include "KnobSearch.h"

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
  if (isa<gpu::GPUModuleOp>(top))
    for (Operation &op : *module.getBody())
      if (&op != top && !SymbolTable::symbolKnownUseEmpty(top, &op))
        reach.insert(&op);
  for (unsigned i = 0; i < reach.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(reach[i]))
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *used = SymbolTable::lookupSymbolIn(
                module, use.getSymbolRef().getRootReference()))
          reach.insert(used);
  return reach;
}

/// Applies one setting to a copy of the target and its surroundings, in a
/// module of their own: a program may have hundreds of other dispatches.
static LogicalResult tryOne(const Skill &skill, Operation *target,
                            StringRef fingerprint,
                            const KnobAssignment &knobs) {
  OwningOpRef<ModuleOp> empty =
      createEmptyRecipe(target->getContext(), RecipeHeader());
  auto recipe = addStep(*empty, skill.action, skill.name, skill.stage,
                        fingerprint, knobs);
  if (failed(recipe))
    return failure();
  IRMapping mapping;
  auto module = target->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy(ModuleOp::create(module.getLoc()));
  (*copy)->setAttrs(module->getAttrDictionary());
  OpBuilder builder((*copy).getBodyRegion());
  for (Operation *op : reachOf(target))
    builder.clone(*op, mapping);
  RecipeStep step = listSteps(**recipe).front();
  if (failed(transform::applyTransformNamedSequence(
          mapping.lookup(target), step.sequence, **recipe,
          transform::TransformOptions())))
    return failure();
  return verify(*copy);
}

DryRun kernelskill::dryRun(const Skill &skill, Operation *target) {
  DryRun result;
  auto dispatch = target->getAttrOfType<DispatchAttr>(kDispatchAttr);
  if (!dispatch)
    return result;
  ScopedDiagnosticHandler handler(
      target->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            result.refusal.empty())
          result.refusal = diagnostic.str();
        return success();
      });
  for (KnobAssignment &knobs : knobSettings(skill.knobs, {}))
    if (succeeded(tryOne(skill, target, dispatch.getFingerprint(), knobs)))
      result.settings.push_back(std::move(knobs));
  return result;
}
