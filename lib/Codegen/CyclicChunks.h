// Deals the iterations of per-thread chunks out among the threads of a block.
#ifndef KERNELSKILL_CODEGEN_CYCLICCHUNKS_H
#define KERNELSKILL_CODEGEN_CYCLICCHUNKS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

/// In a one-dimensional block of T threads, where each runs a loop of n
/// iterations over a chunk of its own, `thread * n + i` becomes `i * T +
/// thread`. An error says why not, and nothing has changed.
llvm::Error distributeChunks(mlir::RewriterBase &rewriter,
                             mlir::gpu::GPUFuncOp kernel);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_CYCLICCHUNKS_H
