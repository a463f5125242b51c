// Evaluates index expressions of a kernel for the 32 threads of one warp.
//
// Numbers, not formulas: grid, block and most loop bounds are constants, so
// that divisions, remainders and swizzles need no special care. What depends on
// memory or on arguments has no value.
#ifndef KERNELSKILL_ANALYSIS_WARPEVALUATOR_H
#define KERNELSKILL_ANALYSIS_WARPEVALUATOR_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <optional>

namespace kernelskill {

inline constexpr unsigned kWarp = 32;
/// One integer a lane.
using Lanes = std::array<int64_t, kWarp>;
using Dim3 = std::array<int64_t, 3>;

class WarpEvaluator {
public:
  WarpEvaluator(Dim3 grid, Dim3 block, int64_t blockIndex, int64_t warp);

  /// Lanes that have a thread.
  uint32_t mask() const { return active; }

  /// The lanes' values, or nothing if they can't be told.
  std::optional<Lanes> evaluate(mlir::Value value);

  /// Gives a loop's induction variable a value. What was known of values in its
  /// loop is forgotten.
  void bind(mlir::Value value, const Lanes &lanes);

  /// A memory reference: the allocation or argument it is of, and the lanes'
  /// byte offsets from its start.
  struct Address {
    mlir::Value root;
    Lanes bytes;
  };
  std::optional<Address> address(mlir::Value memref, mlir::ValueRange indices);

private:
  std::optional<Lanes> compute(mlir::Value value);
  std::optional<Lanes> computeId(mlir::Operation *op);
  std::optional<Lanes> computeArith(mlir::Operation *op);
  std::optional<Lanes> computeAffine(mlir::OpResult result);
  std::optional<Address> base(mlir::Value memref);

  Dim3 grid, block;
  Dim3 blockId;
  std::array<Lanes, 3> threadId;
  int64_t warp;
  uint32_t active = 0;
  llvm::DenseMap<mlir::Value, Lanes> bound;
  llvm::DenseMap<mlir::Value, std::optional<Lanes>> cache;
};

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_WARPEVALUATOR_H
