// Gives the x of a block's threads the work of y, and the other way round.
#ifndef KERNELSKILL_CODEGEN_THREADINTERCHANGE_H
#define KERNELSKILL_CODEGEN_THREADINTERCHANGE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

/// Interchanges x and y of the kernel's blocks where the warps then touch
/// fewer sectors of global memory. An error says why not, and nothing has
/// changed.
llvm::Error interchangeThreads(mlir::RewriterBase &rewriter,
                               mlir::gpu::GPUFuncOp kernel);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_THREADINTERCHANGE_H
