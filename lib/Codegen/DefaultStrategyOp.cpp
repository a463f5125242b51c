// transform.kernelskill.default_strategy: right for every dispatch.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Combiner.h"
#include "Knobs.h"
#include "PointwiseEmitter.h"
#include "ReductionEmitter.h"
#include "ScanEmitter.h"
#include "SequentialEmitter.h"

using namespace mlir;
using namespace kernelskill;

namespace {
/// One nest and the way it is emitted.
struct Seed {
  enum class Kind { Pointwise, Reduction, Sequential } kind;
  Nest nest;
  ReductionKnobs knobs;
};
} // namespace

static unsigned reductionLoops(const Nest &nest) {
  return llvm::count_if(nest.loops,
                        [](const Loop &loop) { return loop.reduction; });
}

/// Are the elements that a result is made of neighbours in every input (an
/// ordered nest)? Not so in a product of A and B: B runs along its columns.
static bool allRunAlongReduction(const Nest &nest) {
  // A flat reduction would divide at every step to find its loops' values.
  if (reductionLoops(nest) != 1 || !nest.loops.back().reduction)
    return false;
  return llvm::all_of(nest.inputs, [&](const Access &input) {
    unsigned last = nest.loops.size() - 1;
    if (!input.isFunctionOfLoop(last))
      return true;
    auto strides = input.strides(nest.loops.size());
    return strides && (*strides)[last] == 1;
  });
}

/// A thread a result, so that neighbours read neighbouring elements; a warp a
/// result where elements of one result are neighbours. Where that leaves most
/// of a GPU idle for long a block a result, and a second kernel where even
/// those are few.
static ReductionKnobs seedKnobs(const Nest &nest) {
  int64_t results = nest.extentOf(/*reduction=*/false);
  int64_t length = nest.extentOf(/*reduction=*/true);
  ReductionKnobs knobs;
  if (results >= 4096 || length < 1024) {
    if (length >= 64 && allRunAlongReduction(nest))
      knobs.lanes = 32;
    return knobs;
  }
  knobs.lanes = runsAlongReduction(nest) ? knobs.blockSize : 32;
  if (results <= 64 && length >= (1 << 17))
    knobs.split = std::clamp<int64_t>(length >> 14, 2, 1024 / results);
  return knobs;
}

static llvm::Expected<Seed> planSeed(Nest nest) {
  Seed seed{Seed::Kind::Pointwise, std::move(nest), {}};
  collapseLoops(seed.nest);
  if (seed.nest.extentOf(/*reduction=*/true) == 1) {
    if (llvm::Error error = checkPointwise(seed.nest, {}))
      return error;
    return seed;
  }
  if (failed(matchCombiners(seed.nest.root))) {
    seed.kind = Seed::Kind::Sequential;
    sortLoops(seed.nest, std::nullopt);
    return seed;
  }
  seed.kind = Seed::Kind::Reduction;
  orderForReduction(seed.nest);
  seed.knobs = seedKnobs(seed.nest);
  if (seed.knobs.lanes == 1 && reductionLoops(seed.nest) > 1) {
    seed.kind = Seed::Kind::Sequential;
    return seed;
  }
  if (llvm::Error error = checkReduction(seed.nest, seed.knobs))
    return error;
  return seed;
}

llvm::Error DefaultStrategyOp::applyTo(RewriterBase &rewriter,
                                       func::FuncOp dispatch,
                                       transform::TransformState &) {
  if (ScanOp scan = scanOf(dispatch)) {
    KernelBuilder builder(rewriter, dispatch);
    emitScan(builder, scan, /*blockSize=*/256);
    builder.finish();
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<Nest>> nests = readNests(dispatch);
  if (!nests)
    return nests.takeError();
  std::vector<Seed> seeds;
  for (Nest &nest : *nests) {
    llvm::Expected<Seed> seed = planSeed(std::move(nest));
    if (!seed)
      return seed.takeError();
    seeds.push_back(std::move(*seed));
  }
  KernelBuilder builder(rewriter, dispatch);
  for (const Seed &seed : seeds) {
    switch (seed.kind) {
    case Seed::Kind::Pointwise:
      emitPointwise(builder, seed.nest, {});
      break;
    case Seed::Kind::Reduction:
      emitReduction(builder, seed.nest, seed.knobs);
      break;
    case Seed::Kind::Sequential:
      emitSequential(builder, seed.nest, /*blockSize=*/256);
      break;
    }
  }
  builder.finish();
  return llvm::Error::success();
}
