// How the results of a reduction are combined: recognised from the root's
// region.
#ifndef KERNELSKILL_CODEGEN_COMBINER_H
#define KERNELSKILL_CODEGEN_COMBINER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernelskill {

/// One result's: `acc = op(element, acc)` with a commutative, associative op.
struct Combiner {
  /// addf, mulf, maximumf, … in the root's region.
  mlir::Operation *op;
  /// What is combined, a value in the root's region that no accumulator enters.
  mlir::Value element;
  mlir::TypedAttr neutral;

  mlir::Type type() const { return element.getType(); }
  /// Loses accuracy with the length of a chain (float sums and products).
  bool rounds() const;
  /// Scalars or vectors of one type.
  mlir::Value combine(mlir::ImplicitLocOpBuilder &b, mlir::Value left,
                      mlir::Value right) const;
  mlir::Value emitNeutral(mlir::ImplicitLocOpBuilder &b,
                          int64_t width = 1) const;
  /// Combines values pairwise.
  mlir::Value combineTree(mlir::ImplicitLocOpBuilder &b,
                          llvm::ArrayRef<mlir::Value> values) const;
  /// The elements of a vector combined pairwise; a scalar as it is.
  mlir::Value combineLanes(mlir::ImplicitLocOpBuilder &b,
                           mlir::Value value) const;
};

/// The combiners of all results, or failure if the region is no such reduction
/// (an argmax reads two accumulators): then only running the loops in order is
/// right.
mlir::FailureOr<llvm::SmallVector<Combiner>>
matchCombiners(mlir::linalg::LinalgOp root);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_COMBINER_H
