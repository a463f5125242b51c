// Tries a skill's knob settings on a copy of the module.
#include "DryRun.h"
#include "KnobSearch.h"

#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace kernelskill;

/// Applies one setting to a copy of the target's module.
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
  OwningOpRef<Operation *> copy(
      target->getParentOfType<ModuleOp>()->clone(mapping));
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
