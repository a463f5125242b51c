//===- Passes.td - passes of the Skills room ---------------------------------===//
#ifndef KERNELSKILL_SKILLS_PASSES_TD
#define KERNELSKILL_SKILLS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_SKILLS_PASSES_TD
