// Ordering loops by the layout of the result.
#include "LoopOrder.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

/// Which old loop each new loop is: parallel places are filled in the order of
/// the result's dimensions.
static FailureOr<SmallVector<unsigned>> loopsByResult(linalg::GenericOp op) {
  AffineMap map = op.getIndexingMapsArray()[op.getNumDpsInputs()];
  SmallVector<unsigned> byResult;
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim)
      return failure();
    byResult.push_back(dim.getPosition());
  }
  SmallVector<unsigned> order;
  unsigned next = 0;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isParallel = kind == utils::IteratorType::parallel;
    if (isParallel && next == byResult.size())
      return failure(); // A parallel loop that the result does not name.
    order.push_back(isParallel ? byResult[next++] : loop);
  }
  if (next != byResult.size())
    return failure();
  return order;
}

LogicalResult kernelskill::orderLoops(func::FuncOp function) {
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  IRRewriter rewriter(function.getContext());
  for (linalg::GenericOp op : generics) {
    FailureOr<SmallVector<unsigned>> order = loopsByResult(op);
    if (failed(order))
      return op.emitError("the first result's map must name each parallel loop "
                          "once, and no other loop");
    if (!llvm::is_sorted(*order)) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> moved =
          linalg::interchangeGenericOp(rewriter, op, *order);
      if (failed(moved))
        return op.emitError("loops can't be put in the order of the result");
      op = *moved;
    }
    AffineMap first = op.getIndexingMapsArray()[op.getNumDpsInputs()];
    for (OpOperand &init : op.getDpsInitsMutable())
      if (op.getMatchingIndexingMap(&init) != first)
        return op.emitError("results with different indexing maps are not "
                            "supported");
  }
  return success();
}
