// Error scales of scalar operations: how far rounding can move a result, to
// first order and in units of the roundoff. docs/verification.md states the
// model.
#ifndef KERNELSKILL_VERIFY_ERRORRULES_H
#define KERNELSKILL_VERIFY_ERRORRULES_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernelskill {

/// Scales of values: for an f64 value its scale, an f64 >= 0; for an i1 whether
/// rounding could turn it over, an i1. A value that is not in the map is exact.
using ScaleMap = llvm::DenseMap<mlir::Value, mlir::Value>;

/// What a program computes in.
struct Precision {
  /// One over the roundoff that scales are counted in: that of its results.
  double whole = 0x1p24;
  /// How many scales apart two compared values may be and still count as
  /// "rounding could swap them".
  double swapMargin = 0x1p-16;
};

/// Adds the scales of the results of `op`, a scalar operation, to `scales`,
/// with new operations at the builder's insertion point, which must be after
/// `op`. `accumulator`, if not null, is the running value of a sum that `op`
/// may add to: then the summand counts and not the sum. Emits an error where
/// there is no rule for `op`.
mlir::LogicalResult addScales(mlir::Operation *op, ScaleMap &scales,
                              mlir::OpBuilder &builder,
                              const Precision &precision,
                              mlir::Value accumulator = {});

/// An i1: whether rounding could change which of two doubles is the greater,
/// whose scales are `total` together.
mlir::Value couldSwap(mlir::ImplicitLocOpBuilder &builder, mlir::Value x,
                      mlir::Value y, mlir::Value total,
                      const Precision &precision);

/// Whether a constant is the same in f32, so that a program in f32 has no error
/// in it.
bool isExactInF32(const llvm::APFloat &value);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_ERRORRULES_H
