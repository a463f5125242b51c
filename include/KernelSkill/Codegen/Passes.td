//===- Passes.td - passes of the Codegen room ---------------------------------===//
#ifndef KERNELSKILL_CODEGEN_PASSES_TD
#define KERNELSKILL_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_CODEGEN_PASSES_TD
