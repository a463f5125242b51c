//===- Passes.td - passes of the Verify room ---------------------------------===//
#ifndef KERNELSKILL_VERIFY_PASSES_TD
#define KERNELSKILL_VERIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_VERIFY_PASSES_TD
