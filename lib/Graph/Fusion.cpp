// The rules of elementwise fusion.
#include "Fusion.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace kernelskill;

bool kernelskill::isPointwise(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops();
}

bool kernelskill::isDataMovement(linalg::GenericOp op) {
  return isPointwise(op) && llvm::all_of(op.getBody()->without_terminator(),
                                         llvm::IsaPred<arith::ConstantOp>);
}

bool kernelskill::isContraction(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !linalg::isaContractionOpInterface(op))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
         !dims->k.empty();
}

/// A copy of one whole input, its dimensions reordered.
static bool isTranspose(linalg::GenericOp op) {
  return isDataMovement(op) && op.getNumDpsInputs() == 1 &&
         op.getNumDpsInits() == 1 &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         op.getBody()->getTerminator()->getOperand(0) ==
             op.getBody()->getArgument(0);
}

// Where values are used again and again (x[i+2] = x[i] * x[i+1]), each fusion
// may copy what was fused before: past this size a body is cut into two
// dispatches.
static constexpr unsigned kMaxBodyOps = 256;

static unsigned bodySize(linalg::GenericOp op) {
  return op.getBody()->getOperations().size();
}

static bool mayFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !isPointwise(producer))
    return false;
  // A contraction stays one that its strategies know: only reading in another
  // order may be folded into it.
  if (isContraction(consumer))
    return isTranspose(producer);
  // Reading again is no work done again.
  if (isDataMovement(producer))
    return true;
  if (bodySize(producer) + bodySize(consumer) > kMaxBodyOps)
    return false;
  // Each element of the producer is needed by one iteration of one consumer.
  bool isOnlyUser = llvm::all_of(
      producer->getUsers(), [&](Operation *user) { return user == consumer; });
  return isOnlyUser && consumer.getMatchingIndexingMap(operand).isPermutation();
}

LogicalResult kernelskill::fuseElementwise(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  // A loop of extent 1 that was summed leaves a pointwise op that reads its
  // output: an input like any other, and it must be one before it is fused.
  RewritePatternSet inits(context);
  linalg::populateMoveInitOperandsToInputPattern(inits);
  walkAndApplyPatterns(function, std::move(inits));

  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  // Each fusion takes a pass over the function: as many as it takes.
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  if (failed(applyPatternsGreedily(function, std::move(patterns), config)))
    return function.emitError("fusing the elementwise operations did not end");
  return success();
}
