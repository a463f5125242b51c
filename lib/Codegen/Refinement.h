// How refinement ops reach their kernels and refuse.
#ifndef KERNELSKILL_CODEGEN_REFINEMENT_H
#define KERNELSKILL_CODEGEN_REFINEMENT_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/Support/Error.h"
#include <array>

namespace kernelskill {

/// Calls `apply` with each kernel behind the handle. Its errors become
/// silenceable failures of the refinement, with a note at the kernel.
mlir::DiagnosedSilenceableFailure
applyRefinement(mlir::Operation *refinement, mlir::Value target,
                mlir::transform::TransformState &state,
                llvm::function_ref<llvm::Error(mlir::gpu::GPUFuncOp)> apply);

/// The kernel's known_block_size, or an error that it has none.
llvm::Expected<std::array<int64_t, 3>> blockSize(mlir::gpu::GPUFuncOp kernel);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_REFINEMENT_H
