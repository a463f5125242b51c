// --kernelskill-verify-skills: accepts folders of skills, or explains.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Skills/SkillLibrary.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_VERIFYSKILLSPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

namespace {
struct VerifySkillsPass
    : kernelskill::impl::VerifySkillsPassBase<VerifySkillsPass> {
  using VerifySkillsPassBase::VerifySkillsPassBase;

  void runOnOperation() override {
    std::vector<std::string> folders(skills.begin(), skills.end());
    auto library = SkillLibrary::load(&getContext(), folders);
    if (failed(library))
      return signalPassFailure();
    for (const Skill &skill : library->all()) {
      transform::NamedSequenceOp action = skill.action;
      remark::passed(
          action.getLoc(),
          remark::RemarkOpts::name(skill.name).category("kernelskill-skills"))
          << (stringifyStage(skill.stage) + " skill with " +
              Twine(skill.knobs.size()) + " knobs")
                 .str();
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
