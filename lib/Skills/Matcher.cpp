// Runs a skill's matcher and keeps what it has to say.
#include "KernelSkill/Skills/SkillLibrary.h"

#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"

using namespace mlir;
using namespace kernelskill;

std::string kernelskill::whyNoMatch(const Skill &skill, Operation *target) {
  std::string reason;
  ScopedDiagnosticHandler handler(
      target->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
            reason.empty())
          reason = diagnostic.str();
        return success();
      });
  transform::NamedSequenceOp matcher = skill.matcher;
  auto library = matcher->getParentOfType<ModuleOp>();
  if (succeeded(transform::applyTransformNamedSequence(
          target, matcher, library, transform::TransformOptions())))
    return "";
  return reason.empty() ? "the matcher failed" : reason;
}
