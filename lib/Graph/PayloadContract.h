// What a payload may hold, checked with one clear error at the operation.
#ifndef KERNELSKILL_LIB_GRAPH_PAYLOADCONTRACT_H
#define KERNELSKILL_LIB_GRAPH_PAYLOADCONTRACT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelskill {

/// Whether the module is a kernel stage already: gpu.modules, and no public
/// function on tensors.
bool isKernelModule(mlir::ModuleOp module);

/// The module's one public function, or an error that says what is there.
mlir::FailureOr<mlir::func::FuncOp> publicFunctionOf(mlir::ModuleOp module);

/// Checks arguments, results and every value: ranked, static, not empty, of an
/// element type that kernels know.
mlir::LogicalResult checkTypes(mlir::func::FuncOp function);

/// Checks that the body holds only what dispatches can be formed from. Holds
/// after --kernelskill-canonicalize-payload.
mlir::LogicalResult checkBody(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_PAYLOADCONTRACT_H
