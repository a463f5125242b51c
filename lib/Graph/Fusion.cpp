// The rules of elementwise fusion.
#include "Fusion.h"

#include "KernelSkill/Analysis/InPlaceRead.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
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

/// Whether an expression adds loops of both kinds.
static bool isWindowAccess(AffineExpr expr, linalg::GenericOp op) {
  bool kinds[2] = {};
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  for (auto [loop, kind] : llvm::enumerate(loops))
    if (expr.isFunctionOfDim(loop))
      kinds[kind == utils::IteratorType::reduction] = true;
  return kinds[0] && kinds[1];
}

bool kernelskill::isWindow(linalg::GenericOp op) {
  return !isPointwise(op) &&
         llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           return llvm::any_of(
               op.getMatchingIndexingMap(input).getResults(),
               [&](AffineExpr expr) { return isWindowAccess(expr, op); });
         });
}

bool kernelskill::isConvolution(linalg::GenericOp op) {
  if (!isWindow(op) || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  auto sum = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  return llvm::any_of(sum->getOperands(), [](Value operand) {
    return operand.getDefiningOp<arith::MulFOp>() ||
           operand.getDefiningOp<arith::MulIOp>();
  });
}

/// A copy of one whole input, its dimensions reordered.
static bool isTranspose(linalg::GenericOp op) {
  return isDataMovement(op) && op.getNumDpsInputs() == 1 &&
         op.getNumDpsInits() == 1 &&
         !matchInPlaceRead(op.getDpsInputOperand(0)->get()) &&
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
  // In a window each element is read again and again.
  if (isWindow(consumer) && !isDataMovement(producer))
    return false;
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

/// Fusion writes moved linalg.index as affine.apply, which regions of
/// dispatches don't hold.
static void expandApplies(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  function.walk([&](affine::AffineApplyOp apply) {
    rewriter.setInsertionPoint(apply);
    AffineMap map = apply.getAffineMap();
    ValueRange operands = apply.getMapOperands();
    rewriter.replaceOp(apply, affine::expandAffineExpr(
                                  rewriter, apply.getLoc(), map.getResult(0),
                                  operands.take_front(map.getNumDims()),
                                  operands.drop_front(map.getNumDims())));
  });
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
  expandApplies(function);
  return success();
}
