// The contracts of the stages (docs/architecture.md), as checks.
#ifndef KERNELSKILL_SKILLS_VERIFYSTAGE_H
#define KERNELSKILL_SKILLS_VERIFYSTAGE_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelskill {

/// Whether the payload is hand-written kernels: gpu.modules, and no function.
bool isKernelPayload(mlir::ModuleOp module);

/// A public function that only calls dispatches and reshapes; dispatches on
/// static tensors, each with kind and fingerprint. Errors are emitted.
mlir::LogicalResult verifyDispatchStage(mlir::ModuleOp module);

/// Functions on static memrefs, and kernels whose grid, block and arguments are
/// known. Errors are emitted.
mlir::LogicalResult verifyKernelStage(mlir::ModuleOp module);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_VERIFYSTAGE_H
