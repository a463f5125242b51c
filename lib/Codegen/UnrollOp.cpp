// The refinement `unroll`: unrolls the innermost loops of a kernel, so that
// independent accesses of several iterations are in flight together.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Knobs.h"
#include "Refinement.h"

#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error UnrollOp::applyTo(RewriterBase &rewriter, gpu::GPUFuncOp kernel,
                              transform::TransformState &state) {
  int64_t factor = 0;
  if (llvm::Error error = readKnobs(state, {{getFactor(), "factor", &factor}}))
    return error;
  if (factor < 2)
    return refusal("factor must be at least 2, but is {0}", factor);
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    bool innermost =
        !loop.getBody()
             ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
             .wasInterrupted();
    std::optional<APInt> trips = loop.getStaticTripCount();
    // The trips may be constant though the bounds are not (from %i to %i + 8);
    // upstream's unrolling aborts on those.
    bool constant = getConstantIntValue(loop.getLowerBound()) &&
                    getConstantIntValue(loop.getUpperBound()) &&
                    getConstantIntValue(loop.getStep());
    if (innermost && constant && trips && trips->uge(factor))
      loops.push_back(loop);
  });
  if (loops.empty())
    return refusal("no innermost scf.for runs a constant number of times, {0} "
                   "or more",
                   factor);
  for (scf::ForOp loop : loops)
    (void)loopUnrollByFactor(loop, factor);
  return llvm::Error::success();
}
