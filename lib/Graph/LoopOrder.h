// One order of loops for equal computations.
#ifndef KERNELSKILL_LIB_GRAPH_LOOPORDER_H
#define KERNELSKILL_LIB_GRAPH_LOOPORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// Reorders the parallel loops of the function's generics so that the first
/// result's map names them in ascending order; reduction loops keep their
/// place.
mlir::LogicalResult orderLoops(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_LOOPORDER_H
