// Variances in double precision.
#ifndef KERNELSKILL_LIB_GRAPH_VARIANCES_H
#define KERNELSKILL_LIB_GRAPH_VARIANCES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// Computes in f32 the variances of f32 tensors that were computed in f64 by
/// two passes and narrowed to f32.
void narrowVariances(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_VARIANCES_H
