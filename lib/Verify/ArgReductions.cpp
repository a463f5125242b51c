// Finds what comes next in a reduction to a value and its index; see the
// header.
#include "ArgReductions.h"

using namespace mlir;

namespace {

struct Match {
  unsigned index = 0; // which result is the index; the other is the value
  SmallVector<Operation *> here; // what makes an element's index of the loop's
  Value neutral;                 // what the value starts from
};

// What a select takes for the running index when an element is taken: its own
// index, by casts from the loop's.
bool matchIndex(linalg::GenericOp op, unsigned result, Match &match) {
  BlockArgument running = op.getRegionOutputArgs()[result];
  auto select = op.getBody()
                    ->getTerminator()
                    ->getOperand(result)
                    .getDefiningOp<arith::SelectOp>();
  if (!select || !running.getType().isInteger() ||
      (select.getTrueValue() == running) == (select.getFalseValue() == running))
    return false;
  Value here = select.getTrueValue() == running ? select.getFalseValue()
                                                : select.getTrueValue();
  Operation *def = here.getDefiningOp();
  while (isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
      def)) {
    match.here.push_back(def);
    def = def->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<linalg::IndexOp>(def))
    return false;
  match.here.push_back(def);
  match.index = result;
  return true;
}

std::optional<Match> matchArgReduction(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 2 ||
      op.getNumReductionLoops() == 0 ||
      !op.getBody()->getArgument(0).getType().isF64() ||
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)) !=
          op.getMatchingIndexingMap(op.getDpsInitOperand(1)))
    return std::nullopt;
  Match match;
  if (!matchIndex(op, 0, match) && !matchIndex(op, 1, match))
    return std::nullopt;
  OpOperand &init = *op.getDpsInitOperand(1 - match.index);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  if (!fill || !fill.value().getType().isF64())
    return std::nullopt;
  match.neutral = fill.value();
  return match;
}

} // namespace

linalg::GenericOp kernelskill::nextOfArgReduction(linalg::GenericOp op,
                                                  RewriterBase &rewriter) {
  std::optional<Match> match = matchArgReduction(op);
  if (!match)
    return {};
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  Value winner = op.getResult(match->index);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(maps.begin() + 1,
              op.getMatchingIndexingMap(op.getDpsInitOperand(match->index)));
  auto next = linalg::GenericOp::create(
      rewriter, loc, op.getResultTypes(),
      ValueRange{op.getInputs().front(), winner}, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), next.getRegion(),
                             next.getRegion().end());
  Block &body = *next.getBody();
  BlockArgument taken =
      body.insertArgument(1u, getElementTypeOrSelf(winner.getType()), loc);
  rewriter.setInsertionPointToStart(&body);
  Value here;
  IRMapping mapping;
  for (Operation *step : llvm::reverse(match->here)) {
    here = rewriter.clone(*step, mapping)->getResult(0);
    mapping.map(step->getResult(0), here);
  }
  Value isTaken = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        here, taken);
  BlockArgument element = body.getArgument(0);
  Value masked =
      arith::SelectOp::create(rewriter, loc, isTaken, match->neutral, element);
  element.replaceAllUsesExcept(masked, masked.getDefiningOp());
  return next;
}
