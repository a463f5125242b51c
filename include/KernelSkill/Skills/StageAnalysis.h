// Analysis of a module as the passes meet it: a payload, a dispatch stage, or
// kernels.
#ifndef KERNELSKILL_SKILLS_STAGEANALYSIS_H
#define KERNELSKILL_SKILLS_STAGEANALYSIS_H

#include "KernelSkill/Skills/AnalysisReport.h"
#include "KernelSkill/Skills/Policy.h"

namespace kernelskill {

/// Applies the recipe to a copy of the module and analyzes both stages. What
/// kernels' `kernelskill.features` say of the binary is taken over. The module
/// itself stays as it is. Diagnostics are emitted on failure.
mlir::FailureOr<AnalysisReport> analyzeModule(mlir::ModuleOp module,
                                              mlir::ModuleOp recipe,
                                              const Chip &chip,
                                              const SkillLibrary &library);

/// What was measured, as kernels' `kernelskill.features` say.
Measurements measurementsOf(mlir::ModuleOp module);

/// Whether a function of the analyzed module is the dispatch, or one of its
/// kernels.
bool isTargetOf(mlir::FunctionOpInterface function,
                const DispatchReport &dispatch);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_STAGEANALYSIS_H
