//===- TransformOps.td - strategies and refinements as transform ops ------===//
#ifndef KERNELSKILL_CODEGEN_TRANSFORMOPS_TD
#define KERNELSKILL_CODEGEN_TRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

#endif // KERNELSKILL_CODEGEN_TRANSFORMOPS_TD
