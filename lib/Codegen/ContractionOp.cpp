// The strategy `contraction`: exact fp32 products by shared-memory tiles and
// register blocks.
#include "KernelSkill/Codegen/TransformOps.h"

#include "ContractionKernel.h"
#include "Knobs.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error ContractionOp::applyTo(RewriterBase &rewriter,
                                   func::FuncOp dispatch,
                                   transform::TransformState &state) {
  ContractionKnobs knobs;
  if (llvm::Error error =
          readKnobs(state, {{getTileM(), "tile_m", &knobs.tileM},
                            {getTileN(), "tile_n", &knobs.tileN},
                            {getTileK(), "tile_k", &knobs.tileK},
                            {getThreadM(), "thread_m", &knobs.threadM},
                            {getThreadN(), "thread_n", &knobs.threadN},
                            {getStages(), "stages", &knobs.stages},
                            {getGroup(), "group", &knobs.group},
                            {getChain(), "chain", &knobs.chain},
                            {getMinBlocks(), "min_blocks", &knobs.minBlocks}}))
    return error;

  llvm::Expected<Nest> nest = readNest(dispatch);
  if (!nest)
    return nest.takeError();
  llvm::Expected<ContractionShape> shape = matchContraction(std::move(*nest));
  if (!shape)
    return shape.takeError();
  llvm::Expected<ContractionTiling> tiling = planContraction(*shape, knobs);
  if (!tiling)
    return tiling.takeError();

  KernelBuilder builder(rewriter, dispatch);
  Kernel kernel = builder.begin(shape->nest.reads(), shape->nest.writes(),
                                tiling->blocks(*shape), tiling->threads);
  kernel.func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                       kernel.b.getI32IntegerAttr(knobs.minBlocks));
  emitContraction(kernel, *shape, *tiling);
  builder.end(kernel);
  builder.finish();
  return llvm::Error::success();
}
