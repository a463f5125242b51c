//===- Passes.td - passes of the Graph room ---------------------------------===//
#ifndef KERNELSKILL_GRAPH_PASSES_TD
#define KERNELSKILL_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // KERNELSKILL_GRAPH_PASSES_TD
