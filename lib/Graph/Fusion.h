// Elementwise fusion under KernelSkill's own rules.
#ifndef KERNELSKILL_LIB_GRAPH_FUSION_H
#define KERNELSKILL_LIB_GRAPH_FUSION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// Whether all loops are parallel.
bool isPointwise(mlir::linalg::GenericOp op);

/// Whether the operation computes nothing: its region only yields inputs or
/// constants.
bool isDataMovement(mlir::linalg::GenericOp op);

/// Whether the operation is a product with loops of its own on each side and a
/// reduction; what lacks one of these (matrix times vector) is a reduction.
bool isContraction(mlir::linalg::GenericOp op);

/// Whether the operation sums products of two inputs over windows of one.
bool isConvolution(mlir::linalg::GenericOp op);

/// Whether the operation reduces over windows: neighbouring results read common
/// elements (convolutions are windows too).
bool isWindow(mlir::linalg::GenericOp op);

/// A sum that starts from computed values (a convolution from its bias) starts
/// from zero, and an elementwise operation adds them, so that they fuse with
/// what follows.
void addStartingValuesLast(mlir::func::FuncOp function);

/// Reads flipped inputs of reductions as they are, and runs the loops
/// backwards.
void foldFlips(mlir::func::FuncOp function);

/// Fuses elementwise producers into their consumers where no work is done
/// twice, and transposes into the maps of what reads them.
mlir::LogicalResult fuseElementwise(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_FUSION_H
