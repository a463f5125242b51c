// Generated declarations and registration of the Codegen room's passes.
#ifndef KERNELSKILL_CODEGEN_PASSES_H
#define KERNELSKILL_CODEGEN_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Codegen/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Codegen/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_PASSES_H
