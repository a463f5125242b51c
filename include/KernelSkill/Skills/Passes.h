// Generated declarations and registration of the Skills room's passes.
#ifndef KERNELSKILL_SKILLS_PASSES_H
#define KERNELSKILL_SKILLS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Skills/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_PASSES_H
