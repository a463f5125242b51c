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

/// Fuses elementwise producers into their consumers where no work is done
/// twice, and transposes into the maps of what reads them.
mlir::LogicalResult fuseElementwise(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_FUSION_H
