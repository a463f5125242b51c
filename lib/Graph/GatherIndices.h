// Whether the values that index a tensor are drawn within its extent.
#ifndef KERNELSKILL_LIB_GRAPH_GATHERINDICES_H
#define KERNELSKILL_LIB_GRAPH_GATHERINDICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kernelskill {

/// An error at each `tensor.extract` whose index is an argument's value, as it
/// is, and drawn (see `kernelskill.argument`) where the tensor has no element:
/// no kernel could be right on such inputs. Indices that are computed are not
/// checked.
mlir::LogicalResult checkGatherIndices(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_GATHERINDICES_H
