// The rules of elementwise fusion.
#include "Fusion.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

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
  // Each element of the producer is needed by one iteration of one consumer.
  bool isOnlyUser = llvm::all_of(
      producer->getUsers(), [&](Operation *user) { return user == consumer; });
  return isOnlyUser && consumer.getMatchingIndexingMap(operand).isPermutation();
}

LogicalResult kernelskill::fuseElementwise(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, mayFuse);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(function, std::move(patterns));
}
