// Reductions to a value and its index (the greatest and where it is).
#ifndef KERNELSKILL_VERIFY_ARGREDUCTIONS_H
#define KERNELSKILL_VERIFY_ARGREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// For a reduction of one f64 input to a value and an integer that says where
/// it is: the same reduction of all but that element, behind `op`. Its last
/// input is the index that `op` gives. Null where `op` is no such reduction.
mlir::linalg::GenericOp nextOfArgReduction(mlir::linalg::GenericOp op,
                                           mlir::RewriterBase &rewriter);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_ARGREDUCTIONS_H
