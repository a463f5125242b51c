// Combines what the threads of a block have accumulated.
#ifndef KERNELSKILL_CODEGEN_LANEREDUCTION_H
#define KERNELSKILL_CODEGEN_LANEREDUCTION_H

#include "Combiner.h"
#include "KernelBuilder.h"

namespace kernelskill {

/// A value of lane `lane ^ offset` of the warp, for any element type up to 64
/// bits.
mlir::Value emitShuffleXor(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                           int64_t offset);

/// How the threads of a block share results: `lanes` threads a result, `groups`
/// results (or vectors of them) a block.
struct LaneGroups {
  int64_t lanes, groups;
  /// Threads of one group are neighbours (then lanes is a power of two);
  /// otherwise the same lane of neighbouring groups is (then lanes is at most
  /// 32).
  bool neighbours;
  /// Of this thread.
  mlir::Value lane, group;
};

/// Combines over each group's lanes, one value for each combiner, and calls
/// `finish` where lane 0 runs (and `active` holds, unless it is null). Contains
/// a barrier if more than a warp is involved, so all threads must come here.
void emitLaneReduction(
    Kernel &kernel, const LaneGroups &threads, mlir::Value active,
    llvm::ArrayRef<Combiner> combiners, llvm::ArrayRef<mlir::Value> values,
    llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> finish);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_LANEREDUCTION_H
