//===- Passes.td - passes of the Lowering room ---------------------------------===//
#ifndef KERNELSKILL_LOWERING_PASSES_TD
#define KERNELSKILL_LOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_LOWERING_PASSES_TD
