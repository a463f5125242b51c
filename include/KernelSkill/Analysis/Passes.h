// Generated declarations and registration of the Analysis room's passes.
#ifndef KERNELSKILL_ANALYSIS_PASSES_H
#define KERNELSKILL_ANALYSIS_PASSES_H

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Analysis/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Analysis/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_PASSES_H
