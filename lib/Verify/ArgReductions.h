// Reductions to a value and its index (the greatest and where it is).
#ifndef KERNELSKILL_VERIFY_ARGREDUCTIONS_H
#define KERNELSKILL_VERIFY_ARGREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// A reduction of one f64 input to its greatest or least value and to where
/// that is along its one reduced loop, of two or more steps.
struct ArgReduction {
  unsigned value = 0, index = 1; // results
  unsigned loop = 0;             // whose index the result is
};

std::optional<ArgReduction> matchArgReduction(mlir::linalg::GenericOp op);

/// A byte for each result of the reduction and, innermost, for each place along
/// its loop: whether `may` says that the value there could be the one at the
/// `found` index. It gets the two values and the sum of their scales. Behind a
/// NaN that no comparison finds, that is not the value that `op` gives.
mlir::Value admissibleIndices(
    mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
    const ArgReduction &match, mlir::Value found, mlir::Value inputScale,
    llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &, mlir::Value,
                                   mlir::Value, mlir::Value)>
        may);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_ARGREDUCTIONS_H
