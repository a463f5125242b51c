//===- Passes.td - passes of the Analysis room ---------------------------------===//
#ifndef KERNELSKILL_ANALYSIS_PASSES_TD
#define KERNELSKILL_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_ANALYSIS_PASSES_TD
