// Finds reductions to a value and its index, and which indices rounding could
// make of them; see the header.
#include "ArgReductions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using kernelskill::ArgReduction;

// Whether a value is chosen of two, in either order.
static bool isOneOf(Value chosen, Value x, Value y) {
  Operation *def = chosen.getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
                       arith::MinNumFOp, arith::SelectOp>(def))
    return false;
  auto last = def->getOperands().take_back(2);
  return (last[0] == x && last[1] == y) || (last[0] == y && last[1] == x);
}

// The loop whose index, cast, a select takes for the running index when an
// element is taken.
static std::optional<unsigned> indexedLoop(linalg::GenericOp op,
                                           unsigned result) {
  BlockArgument running = op.getRegionOutputArgs()[result];
  auto select = op.getBody()
                    ->getTerminator()
                    ->getOperand(result)
                    .getDefiningOp<arith::SelectOp>();
  if (!select || !running.getType().isInteger() ||
      (select.getTrueValue() == running) == (select.getFalseValue() == running))
    return std::nullopt;
  Value here = select.getTrueValue() == running ? select.getFalseValue()
                                                : select.getTrueValue();
  Operation *def = here.getDefiningOp();
  while (
      isa_and_nonnull<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(def))
    def = def->getOperand(0).getDefiningOp();
  auto index = dyn_cast_if_present<linalg::IndexOp>(def);
  if (!index)
    return std::nullopt;
  return index.getDim();
}

std::optional<ArgReduction>
kernelskill::matchArgReduction(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 2 ||
      op.getNumReductionLoops() != 1 ||
      !op.getBody()->getArgument(0).getType().isF64() ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isPermutation() ||
      op.getMatchingIndexingMap(op.getDpsInitOperand(0)) !=
          op.getMatchingIndexingMap(op.getDpsInitOperand(1)))
    return std::nullopt;
  for (unsigned index : {0u, 1u}) {
    std::optional<unsigned> loop = indexedLoop(op, index);
    unsigned value = 1 - index;
    if (loop && op.getStaticLoopRanges()[*loop] > 1 &&
        op.getIteratorTypesArray()[*loop] == utils::IteratorType::reduction &&
        isOneOf(op.getBody()->getTerminator()->getOperand(value),
                op.getBody()->getArgument(0), op.getRegionOutputArgs()[value]))
      return ArgReduction{value, index, *loop};
  }
  return std::nullopt;
}

Value kernelskill::admissibleIndices(
    OpBuilder &builder, linalg::GenericOp op, const ArgReduction &match,
    Value found, Value inputScale,
    llvm::function_ref<Value(ImplicitLocOpBuilder &, Value, Value, Value)>
        may) {
  Value values = op.getInputs().front();
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap all = result.insertResult(builder.getAffineDimExpr(match.loop),
                                      result.getNumResults());
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(found.getType()).getShape());
  int64_t places = op.getStaticLoopRanges()[match.loop];
  shape.push_back(places);
  SmallVector<utils::IteratorType> iterators(op.getNumLoops(),
                                             utils::IteratorType::parallel);
  Type byte = builder.getI8Type();
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape, byte);
  auto body = [&](OpBuilder &inner, Location at, ValueRange args) {
    ImplicitLocOpBuilder b(at, inner);
    // Where nothing was found, the index is whatever it started from.
    Value place = arith::IndexCastOp::create(b, b.getIndexType(), args[2]);
    place = arith::MaxSIOp::create(
        b, place, arith::ConstantIndexOp::create(b, 0).getResult());
    place = arith::MinSIOp::create(
        b, place, arith::ConstantIndexOp::create(b, places - 1).getResult());
    SmallVector<Value> indices;
    for (AffineExpr expr : input.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      indices.push_back(loop == match.loop
                            ? place
                            : linalg::IndexOp::create(b, loop).getResult());
    }
    Value best = tensor::ExtractOp::create(b, values, indices);
    Value total = arith::AddFOp::create(
        b, args[1], tensor::ExtractOp::create(b, inputScale, indices));
    Value is = arith::ExtUIOp::create(b, byte, may(b, args[0], best, total));
    linalg::YieldOp::create(b, is);
  };
  return linalg::GenericOp::create(
             builder, op.getLoc(), TypeRange{empty.getType()},
             ValueRange{values, inputScale, found}, ValueRange{empty},
             ArrayRef{input, input, result, all}, iterators, body)
      .getResult(0);
}
