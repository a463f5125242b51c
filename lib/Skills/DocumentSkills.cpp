// --kernelskill-document-skills: writes the page of the skills as Markdown.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Skills/SkillLibrary.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_DOCUMENTSKILLSPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

static void writeSkill(llvm::raw_ostream &os, const Skill &skill) {
  SkillAttr metadata = skill.metadata;
  os << "## " << skill.name << "\n\n"
     << "`skills/" << stringifyStage(skill.stage) << "/"
     << llvm::sys::path::filename(skill.file) << "`\n\n"
     << "- why: " << metadata.getWhy().getValue() << "\n";
  if (!metadata.getCue().empty())
    os << "- how: " << metadata.getCue().getValue() << "\n";
  os << "- source: " << metadata.getSource().getValue() << "\n"
     << "- numerics: " << stringifyNumerics(metadata.getNumerics()) << "\n";
  if (Attribute when = metadata.getWhen())
    os << "- when: `" << when << "`\n";
  if (Attribute veto = metadata.getVeto())
    os << "- not when: `" << veto << "`\n";
  for (const Knob &knob : skill.knobs)
    os << "- knob `" << knob.name << "`: " << llvm::join(knob.options, ", ")
       << "\n";
  os << "\n";
}

namespace {
struct DocumentSkillsPass
    : kernelskill::impl::DocumentSkillsPassBase<DocumentSkillsPass> {
  using DocumentSkillsPassBase::DocumentSkillsPassBase;

  void runOnOperation() override {
    std::vector<std::string> folders(skills.begin(), skills.end());
    auto library = SkillLibrary::load(&getContext(), folders);
    if (failed(library))
      return signalPassFailure();
    std::string error;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(output, &error);
    if (!file) {
      emitError(UnknownLoc::get(&getContext())) << error;
      return signalPassFailure();
    }
    file->os()
        << "# Skills\n\nGenerated from the files in `skills/`; options of "
           "a knob stand in the order in which they are preferred.\n\n";
    for (const Skill &skill : library->all())
      writeSkill(file->os(), skill);
    file->keep();
    markAllAnalysesPreserved();
  }
};
} // namespace
