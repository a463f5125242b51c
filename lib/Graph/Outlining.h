// From a group of operations to a dispatch function.
#ifndef KERNELSKILL_LIB_GRAPH_OUTLINING_H
#define KERNELSKILL_LIB_GRAPH_OUTLINING_H

#include "Grouping.h"

namespace kernelskill {

/// Makes dispatch functions in a module and calls in its public function; equal
/// groups share a function.
class DispatchOutliner {
public:
  explicit DispatchOutliner(mlir::ModuleOp module)
      : module(module), symbols(module) {}

  /// Replaces the group by a call. Emits an error if a region uses a value
  /// from outside that is no constant.
  mlir::LogicalResult outline(DispatchGroup group);
  mlir::LogicalResult outline(ScanOp scan);

private:
  /// The call of a function equal to this one, which becomes one of the
  /// module's if it is the first.
  mlir::func::CallOp call(mlir::OpBuilder &builder, mlir::func::FuncOp function,
                          DispatchKind kind, mlir::ValueRange operands);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  /// Functions by canonical text.
  llvm::StringMap<mlir::func::FuncOp> functions;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_OUTLINING_H
