// Copies of one operand's tile from global to shared memory by a block, by way
// of registers, so that the reads of a tile can be in flight beside products.
#ifndef KERNELSKILL_CODEGEN_CONTRACTIONCOPIES_H
#define KERNELSKILL_CODEGEN_CONTRACTIONCOPIES_H

#include "ContractionTiling.h"

namespace kernelskill {

class TileCopier {
public:
  /// Writes the index arithmetic that does not change with k. `source` and
  /// `shared` are memrefs of rank 1; `thread` is the thread's number in the
  /// block, `firstRow` the tile's first m or n, `batchOffset` an offset in
  /// elements. Rows beyond the operand read its last row again: what they yield
  /// is never stored.
  TileCopier(mlir::ImplicitLocOpBuilder &b, const ContractionShape &shape,
             const ContractionTiling &tiling, const TileCopy &copy,
             mlir::Value source, mlir::Value shared, mlir::Value thread,
             mlir::Value firstRow, mlir::Value batchOffset);

  /// Reads this thread's part of the tile from `firstK` on. Products beyond the
  /// last k read as zero.
  llvm::SmallVector<mlir::Value> load(mlir::ImplicitLocOpBuilder &b,
                                      mlir::Value firstK) const;
  /// Stores what `load` gave at `offset` in shared memory.
  void store(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> values,
             mlir::Value offset) const;

private:
  /// One vector of this thread: its k in the tile, its offset in the source
  /// without k, its offset in shared memory, and whether it exists (null: yes).
  struct Part {
    mlir::Value k, source, shared, exists;
  };
  const ContractionShape &shape;
  const ContractionTiling &tiling;
  const TileCopy &copy;
  mlir::Value source, shared;
  llvm::SmallVector<Part> parts;
};

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_CONTRACTIONCOPIES_H
