// Flips along reduction loops: the loop runs the other way instead.
//
// A transposed convolution flips its weights. Reading them from the last to the
// first, and the window likewise, sums the same products.
#include "Fusion.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace kernelskill;

/// Loops of the op that an input's producer reads backwards, all of the
/// producer being read at the loops themselves; nothing if the producer does
/// more than reorder and flip.
static std::optional<SmallVector<unsigned>>
flippedLoops(linalg::GenericOp op, linalg::GenericOp producer, AffineMap map) {
  if (!producer || !isDataMovement(producer) ||
      producer.getNumDpsInputs() != 1 || producer.getNumDpsInits() != 1 ||
      producer.getBody()->getTerminator()->getOperand(0) !=
          producer.getBody()->getArgument(0) ||
      !producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
           .isIdentity() ||
      !map.isProjectedPermutation())
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<unsigned> loops;
  for (AffineExpr expr :
       producer.getMatchingIndexingMap(producer.getDpsInputOperand(0))
           .compose(map)
           .getResults()) {
    if (isa<AffineDimExpr>(expr))
      continue;
    unsigned loop = 0;
    while (loop < extents.size() && !expr.isFunctionOfDim(loop))
      ++loop;
    if (loop == extents.size() || kinds[loop] != utils::IteratorType::reduction)
      return std::nullopt;
    MLIRContext *context = op.getContext();
    if (expr != extents[loop] - 1 - getAffineDimExpr(loop, context))
      return std::nullopt;
    loops.push_back(loop);
  }
  return loops;
}

/// May the op's reduction run in any order?
static bool isOrderless(linalg::GenericOp op) {
  if (!op.getBody()->getOps<linalg::IndexOp>().empty())
    return false;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(op.getRegionOutputArgs(), i, combiners) ||
        combiners.size() != 1)
      return false;
  }
  return true;
}

void kernelskill::foldFlips(func::FuncOp function) {
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : generics) {
    if (isPointwise(op) || !isOrderless(op))
      continue;
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto producer = input->get().getDefiningOp<linalg::GenericOp>();
      AffineMap own = op.getMatchingIndexingMap(input);
      auto loops = flippedLoops(op, producer, own);
      if (!loops || loops->empty())
        continue;
      SmallVector<AffineExpr> reversed;
      for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges())) {
        AffineExpr dim = getAffineDimExpr(loop, op.getContext());
        reversed.push_back(llvm::is_contained(*loops, loop) ? extent - 1 - dim
                                                            : dim);
      }
      auto reverse =
          AffineMap::get(op.getNumLoops(), 0, reversed, op.getContext());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      for (AffineMap &map : maps)
        map = map.compose(reverse);
      OpOperand *source = producer.getDpsInputOperand(0);
      maps[input->getOperandNumber()] =
          producer.getMatchingIndexingMap(source).compose(own).compose(reverse);
      for (AffineMap &map : maps)
        map = simplifyAffineMap(map);
      // All loops must still be told by the operands' shapes.
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        continue;
      input->set(source->get());
      op.setIndexingMapsAttr(
          Builder(op.getContext()).getAffineMapArrayAttr(maps));
    }
  }
}
