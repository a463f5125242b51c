// Generated declarations and registration of the Lowering room's passes.
#ifndef KERNELSKILL_LOWERING_PASSES_H
#define KERNELSKILL_LOWERING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Lowering/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Lowering/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_LOWERING_PASSES_H
