// --kernelskill-form-dispatches: from a canonical payload to dispatches.
#include "KernelSkill/Graph/Passes.h"

#include "DataOps.h"
#include "Fusion.h"
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "LoopOrder.h"
#include "Outlining.h"
#include "PayloadContract.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

namespace kernelskill {
#define GEN_PASS_DEF_FORMDISPATCHES
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

/// A fill that is more than a starting value (it is returned or reshaped) is
/// made by a dispatch of its own, so it becomes a generic.
static void fillsToGenerics(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::FillOp> fills(
      function.getBody().front().getOps<linalg::FillOp>());
  for (linalg::FillOp fill : fills) {
    auto isInit = [](OpOperand &use) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(use.getOwner()))
        return &use == &insert.getDestMutable();
      auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
      return user && user.isDpsInit(&use);
    };
    if (llvm::all_of(fill->getUses(), isInit))
      continue;
    rewriter.setInsertionPoint(fill);
    auto type = cast<RankedTensorType>(fill.getResultTypes().front());
    Value empty = tensor::EmptyOp::create(
        rewriter, fill.getLoc(), type.getShape(), type.getElementType());
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    AffineMap map = rewriter.getMultiDimIdentityMap(type.getRank());
    auto generic = linalg::GenericOp::create(
        rewriter, fill.getLoc(), type, ValueRange(), empty, map, loops,
        [&](OpBuilder &builder, Location loc, ValueRange) {
          linalg::YieldOp::create(builder, loc, fill.value());
        });
    rewriter.replaceUsesWithIf(fill.getResult(0), generic.getResult(0),
                               [&](OpOperand &use) { return !isInit(use); });
  }
}

/// What is left in the public function are calls, views and constants.
static LogicalResult checkHost(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  for (Operation &op : body)
    if (isa<tensor::EmptyOp>(op))
      return op.emitError("is read, but nothing has written it: fill it first");
  return success();
}

namespace {

struct FormDispatches : kernelskill::impl::FormDispatchesBase<FormDispatches> {
  void runOnOperation() override {
    if (isKernelModule(getOperation()))
      return;
    FailureOr<func::FuncOp> function = publicFunctionOf(getOperation());
    if (failed(function) || failed(checkBody(*function)))
      return signalPassFailure();
    addStartingValuesLast(*function);
    foldFlips(*function);
    if (failed(fuseElementwise(*function)))
      return signalPassFailure();
    // Only now: canonical patterns drop plain copies.
    materializeReads(*function);
    fillsToGenerics(*function);
    if (failed(orderLoops(*function)))
      return signalPassFailure();
    // In one order of loops, equal operations have become the same.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(*function);
    eliminateCommonSubExpressions(rewriter, dominance, *function);
    DispatchOutliner outliner(getOperation());
    for (DispatchGroup group : groupDispatches(*function))
      if (failed(outliner.outline(group)))
        return signalPassFailure();
    SmallVector<ScanOp> scans(function->getBody().front().getOps<ScanOp>());
    for (ScanOp scan : scans)
      if (failed(outliner.outline(scan)))
        return signalPassFailure();
    if (failed(checkHost(*function)))
      signalPassFailure();
  }
};

} // namespace
