// The strategies and refinements as transform ops, and the extension that
// registers them.
#ifndef KERNELSKILL_CODEGEN_TRANSFORMOPS_H
#define KERNELSKILL_CODEGEN_TRANSFORMOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

namespace mlir {
class DialectRegistry;
}

#define GET_OP_CLASSES
#include "KernelSkill/Codegen/TransformOps.h.inc"

namespace kernelskill {
/// Adds the strategies and refinements to the transform dialect.
void registerTransformOps(mlir::DialectRegistry &registry);
} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_TRANSFORMOPS_H
