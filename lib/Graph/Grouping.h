// Which operations make up a dispatch.
#ifndef KERNELSKILL_LIB_GRAPH_GROUPING_H
#define KERNELSKILL_LIB_GRAPH_GROUPING_H

#include "KernelSkill/IR/KernelSkillOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// A root and, if there is one, the epilogue that reads its results.
struct DispatchGroup {
  DispatchKind kind;
  mlir::linalg::GenericOp root;
  mlir::linalg::GenericOp epilogue; // null: none

  mlir::linalg::GenericOp last() const { return epilogue ? epilogue : root; }
};

/// Puts every generic of the function into one group, in the order in which
/// the groups can run.
llvm::SmallVector<DispatchGroup> groupDispatches(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_GROUPING_H
