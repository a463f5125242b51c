// transform.kernelskill.reduction: reductions along rows, columns or
// everything.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Knobs.h"
#include "ReductionEmitter.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error ReductionOp::applyTo(RewriterBase &rewriter, func::FuncOp dispatch,
                                 transform::TransformState &state) {
  ReductionKnobs knobs;
  if (llvm::Error error = readKnobs(
          state, {{getBlockSize(), "block_size", &knobs.blockSize},
                  {getLanes(), "lanes", &knobs.lanes},
                  {getVectorWidth(), "vector_width", &knobs.vectorWidth},
                  {getUnroll(), "unroll", &knobs.unroll},
                  {getSplit(), "split", &knobs.split}}))
    return error;
  llvm::Expected<Nest> nest = readNest(dispatch);
  if (!nest)
    return nest.takeError();
  orderForReduction(*nest);
  if (llvm::Error error = checkReduction(*nest, knobs))
    return error;
  KernelBuilder builder(rewriter, dispatch);
  emitReduction(builder, *nest, knobs);
  builder.finish();
  return llvm::Error::success();
}
