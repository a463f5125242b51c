// Generated declarations and registration of the Verify room's passes.
#ifndef KERNELSKILL_VERIFY_PASSES_H
#define KERNELSKILL_VERIFY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Verify/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_PASSES_H
