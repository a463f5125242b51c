// --kernelskill-diagnose: writes what holds each kernel back onto it.
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Skills/Policy.h"
#include "KernelSkill/Skills/StageAnalysis.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_DIAGNOSEPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

/// The attribute for one diagnosis.
static DiagnosisAttr toAttribute(const DispatchDiagnosis &diagnosis,
                                 MLIRContext *context) {
  Builder builder(context);
  auto number = [&](std::optional<double> us) {
    double rounded = us.value_or(0);
    StringRef(llvm::formatv("{0:e3}", rounded).str()).getAsDouble(rounded);
    return us ? builder.getF64FloatAttr(rounded) : FloatAttr();
  };
  SmallVector<HeldBack> held;
  for (const HeldTime &time : diagnosis.held)
    held.push_back({time.bottleneck, number(time.us)});
  return DiagnosisAttr::get(context, number(diagnosis.timeUs),
                            number(diagnosis.boundUs), diagnosis.measured,
                            held);
}

namespace {
struct DiagnosePass : kernelskill::impl::DiagnosePassBase<DiagnosePass> {
  using DiagnosePassBase::DiagnosePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<const Chip *> target = findChip(chip);
    if (!target) {
      module.emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    Measurements measurements = measurementsOf(module);
    OwningOpRef<ModuleOp> recipe =
        createEmptyRecipe(&getContext(), RecipeHeader());
    auto report = analyzeModule(module, *recipe, **target, SkillLibrary());
    if (failed(report))
      return signalPassFailure();
    for (const DispatchDiagnosis &diagnosis : diagnose(*report, measurements)) {
      DiagnosisAttr attribute = toAttribute(diagnosis, &getContext());
      const DispatchReport *dispatch = report->find(diagnosis.fingerprint);
      module.walk([&](FunctionOpInterface function) {
        if (!isTargetOf(function, *dispatch))
          return;
        function->setAttr(kDiagnosisAttr, attribute);
        for (const std::string &unknown : diagnosis.unknown)
          remark::analysis(function.getLoc(),
                           remark::RemarkOpts::name("unknown").category(
                               "kernelskill-diagnose"))
              << unknown;
      });
    }
  }
};
} // namespace
