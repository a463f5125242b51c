// transform.kernelskill.pointwise: elementwise dispatches by vectors.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Knobs.h"
#include "PointwiseEmitter.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error PointwiseOp::applyTo(RewriterBase &rewriter, func::FuncOp dispatch,
                                 transform::TransformState &state) {
  PointwiseKnobs knobs;
  if (llvm::Error error = readKnobs(
          state,
          {{getVectorWidth(), "vector_width", &knobs.vectorWidth},
           {getBlockSize(), "block_size", &knobs.blockSize},
           {getItemsPerThread(), "items_per_thread", &knobs.itemsPerThread}}))
    return error;
  llvm::Expected<Nest> nest = readNest(dispatch);
  if (!nest)
    return nest.takeError();
  collapseLoops(*nest);
  if (llvm::Error error = checkPointwise(*nest, knobs))
    return error;
  KernelBuilder builder(rewriter, dispatch);
  emitPointwise(builder, *nest, knobs);
  builder.finish();
  return llvm::Error::success();
}
