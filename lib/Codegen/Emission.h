// How computation and memory accesses are emitted inside a kernel: bodies of
// structured ops on scalars or vectors, loads and stores at linear forms.
//
// A value is either a scalar or a vector of `Lanes::width`, whose elements
// belong to consecutive iterations of the loop `Lanes::loop`; a scalar is the
// same for all.
#ifndef KERNELSKILL_CODEGEN_EMISSION_H
#define KERNELSKILL_CODEGEN_EMISSION_H

#include "KernelBuilder.h"
#include "Nest.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernelskill {

/// Which loop vectors lie along. Its value is that of the first lane.
struct Lanes {
  int64_t width = 1;
  unsigned loop = 0;
  /// The loop's value is a multiple of the width (so loads can be aligned).
  bool aligned = true;
};

/// Index arithmetic on `index` values; folds constants, never divides by zero.
mlir::Value emitExpr(mlir::ImplicitLocOpBuilder &b, mlir::AffineExpr expr,
                     mlir::ValueRange dims);
/// Values of loops with these extents at a flat (row-major) position.
llvm::SmallVector<mlir::Value> emitDelinearize(mlir::ImplicitLocOpBuilder &b,
                                               mlir::Value flat,
                                               llvm::ArrayRef<int64_t> extents);
mlir::Value constantIndex(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// Loads what the access names. `buffer` is the tensor's flat memref.
mlir::Value emitLoad(mlir::ImplicitLocOpBuilder &b, const Access &access,
                     mlir::Value buffer, mlir::ValueRange loops, Lanes lanes);
/// Stores a scalar or a vector (a scalar goes to every lane).
void emitStore(mlir::ImplicitLocOpBuilder &b, const Access &access,
               mlir::Value buffer, mlir::Value value, mlir::ValueRange loops,
               Lanes lanes);

/// A scalar repeated `width` times; vectors (and width 1) as they are.
mlir::Value emitBroadcast(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                          int64_t width);
/// Lane `i` of a vector; a scalar as it is.
mlir::Value emitLane(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                     int64_t i);

/// Clones what computes `wanted` (values in the region of `op`). `arguments`
/// are the values of the region's arguments (null where it is not needed),
/// `dims` the values of the op's loops as expressions of the nest's loops (for
/// linalg.index). tensor.extract loads from the kernel's buffer.
llvm::SmallVector<mlir::Value> cloneBody(Kernel &kernel,
                                         mlir::linalg::LinalgOp op,
                                         mlir::ValueRange wanted,
                                         mlir::ArrayRef<mlir::Value> arguments,
                                         llvm::ArrayRef<mlir::AffineExpr> dims,
                                         mlir::ValueRange loops, Lanes lanes);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_EMISSION_H
