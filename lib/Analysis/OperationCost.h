// How many instructions an op becomes, roughly.
#ifndef KERNELSKILL_ANALYSIS_OPERATIONCOST_H
#define KERNELSKILL_ANALYSIS_OPERATIONCOST_H

#include "mlir/IR/Operation.h"

namespace kernelskill {

/// Instructions that a warp issues for one execution of the op, without those
/// in its regions. An estimate: docs/policy.md lists the weights.
double instructionsOf(mlir::Operation *op);

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_OPERATIONCOST_H
