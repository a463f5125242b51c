// Starting values of sums as a later addition.
#include "DataOps.h"
#include "Fusion.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace kernelskill;

/// The addition that the op sums its one result with, or null.
static Operation *sumOf(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || isPointwise(op))
    return nullptr;
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp>(combiners.front()))
    return nullptr;
  return combiners.front();
}

void kernelskill::addStartingValuesLast(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : generics) {
    Operation *sum = sumOf(op);
    OpOperand &init = *op.getDpsInitOperand(0);
    if (!sum || !init.get().getDefiningOp<linalg::GenericOp>())
      continue;
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(init.get().getType());
    Value start = init.get();
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    init.set(linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0));
    rewriter.setInsertionPointAfter(op);
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    linalg::GenericOp added = createElementwise(
        rewriter, loc, type, {op.getResult(0), start}, {identity, identity},
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          IRMapping operands;
          operands.map(sum->getOperands(), arguments.take_front(2));
          Operation *clone = b.clone(*sum, operands);
          linalg::YieldOp::create(b, loc, clone->getResult(0));
        });
    rewriter.replaceUsesWithIf(
        op.getResult(0), added.getResult(0),
        [&](OpOperand &use) { return use.getOwner() != added; });
  }
}
