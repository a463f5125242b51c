// Sums in 16 bits.
#ifndef KERNELSKILL_LIB_GRAPH_WIDENSUMS_H
#define KERNELSKILL_LIB_GRAPH_WIDENSUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kernelskill {

/// Sums that generics accumulate in f16 or bf16 are accumulated in f32, and
/// rounded to the payload's type at their end.
void widenSums(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_WIDENSUMS_H
