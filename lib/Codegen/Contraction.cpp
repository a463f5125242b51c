// The strategy `contraction`: exact fp32 products by shared-memory tiles and
// register blocks.
#include "KernelSkill/Codegen/TransformOps.h"

#include "ContractionKernel.h"
#include "Knobs.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error ContractionOp::applyTo(RewriterBase &rewriter,
                                   func::FuncOp dispatch,
                                   transform::TransformState &state) {
  ContractionKnobs knobs;
  struct {
    StringRef name;
    Value operand;
    int64_t &knob;
  } read[] = {
      {"tile_m", getTileM(), knobs.tileM},
      {"tile_n", getTileN(), knobs.tileN},
      {"tile_k", getTileK(), knobs.tileK},
      {"thread_m", getThreadM(), knobs.threadM},
      {"thread_n", getThreadN(), knobs.threadN},
      {"stages", getStages(), knobs.stages},
      {"group", getGroup(), knobs.group},
      {"chain", getChain(), knobs.chain},
  };
  for (auto &[name, operand, knob] : read) {
    llvm::Expected<int64_t> value = readKnob(state, operand, name);
    if (!value)
      return value.takeError();
    knob = *value;
  }

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
  emitContraction(kernel, *shape, *tiling);
  builder.end(kernel);
  builder.finish();
  return llvm::Error::success();
}
