// Index arithmetic of a kernel as sums of multiples, to see how threads and
// iterations move an address.
#ifndef KERNELSKILL_CODEGEN_LINEARINDEX_H
#define KERNELSKILL_CODEGEN_LINEARINDEX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace kernelskill {

/// constant + the sum of coefficient * value.
struct LinearIndex {
  int64_t constant = 0;
  /// Values that are no sums themselves. Different gpu.thread_id ops of one
  /// dimension are different values here.
  llvm::SmallMapVector<mlir::Value, int64_t, 4> terms;

  int64_t coefficient(mlir::Value value) const;
  /// Of the thread's number in a dimension, by way of gpu.thread_id and
  /// gpu.global_id.
  int64_t threadCoefficient(mlir::gpu::Dimension dimension) const;
  void add(const LinearIndex &other, int64_t factor);
};

/// Looks through additions, multiplications by constants, casts and
/// affine.apply.
LinearIndex linearIndex(mlir::Value value);
/// Is this one of the operations that linearIndex looks through?
bool isLinearArithmetic(mlir::Operation *op);

/// An access of a memref: memref.load, memref.store, vector.load, vector.store.
struct MemoryAccess {
  mlir::Operation *op;
  mlir::Value memref;
  mlir::MutableOperandRange indices;
  bool isStore;
  /// Elements that are accessed.
  int64_t width;

  unsigned elementBytes() const;
  /// The element's number in the memref, if that has a static identity layout.
  std::optional<LinearIndex> flatIndex() const;
};
std::optional<MemoryAccess> memoryAccess(mlir::Operation *op);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_LINEARINDEX_H
