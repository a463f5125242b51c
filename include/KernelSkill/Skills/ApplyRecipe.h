// Payload + recipe → dispatch stage → kernel stage. Deterministic: no clock, no
// file, no device.
#ifndef KERNELSKILL_SKILLS_APPLYRECIPE_H
#define KERNELSKILL_SKILLS_APPLYRECIPE_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelskill {

/// Rewrites `payload` in place by the graph steps and forms its dispatches. A
/// module of gpu.modules has none; each of its kernels becomes a dispatch of
/// kind `kernel`, marked with its fingerprint. Fails, with diagnostics, when
/// the recipe is for another payload, is broken, or a graph step fails.
mlir::LogicalResult formDispatchStage(mlir::ModuleOp payload,
                                      mlir::ModuleOp recipe);

/// From there to the kernel stage: strategies (the default one where the recipe
/// names none), host bufferization, refinements. A step without a target is an
/// error that lists the fingerprints there are.
mlir::LogicalResult formKernelStage(mlir::ModuleOp module,
                                    mlir::ModuleOp recipe);

/// Both.
mlir::LogicalResult applyRecipe(mlir::ModuleOp payload, mlir::ModuleOp recipe);

} // namespace kernelskill

#endif // KERNELSKILL_SKILLS_APPLYRECIPE_H
