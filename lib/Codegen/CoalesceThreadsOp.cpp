// The refinement `coalesce_threads`: lets neighbouring threads access
// neighbouring elements.
#include "KernelSkill/Codegen/TransformOps.h"

#include "CyclicChunks.h"
#include "Knobs.h"
#include "Refinement.h"
#include "ThreadInterchange.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error CoalesceThreadsOp::applyTo(RewriterBase &rewriter,
                                       gpu::GPUFuncOp kernel,
                                       transform::TransformState &) {
  llvm::Error interchange = interchangeThreads(rewriter, kernel);
  if (!interchange)
    return llvm::Error::success();
  llvm::Error chunks = distributeChunks(rewriter, kernel);
  if (!chunks) {
    llvm::consumeError(std::move(interchange));
    return llvm::Error::success();
  }
  return refusal("{0}; {1}", llvm::toString(std::move(interchange)),
                 llvm::toString(std::move(chunks)));
}
