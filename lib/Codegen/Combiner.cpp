// Recognises and emits the combiners of reductions.
#include "Combiner.h"

#include "Emission.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kernelskill;

bool Combiner::rounds() const { return isa<arith::AddFOp, arith::MulFOp>(op); }

Value Combiner::combine(ImplicitLocOpBuilder &b, Value left,
                        Value right) const {
  Operation *clone = b.clone(*op);
  clone->setOperands({left, right});
  clone->getResult(0).setType(left.getType());
  return clone->getResult(0);
}

Value Combiner::emitNeutral(ImplicitLocOpBuilder &b, int64_t width) const {
  if (width == 1)
    return arith::ConstantOp::create(b, neutral);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(VectorType::get(width, type()), neutral));
}

Value Combiner::combineTree(ImplicitLocOpBuilder &b,
                            ArrayRef<Value> values) const {
  if (values.size() == 1)
    return values.front();
  size_t half = values.size() / 2;
  return combine(b, combineTree(b, values.take_front(half)),
                 combineTree(b, values.drop_front(half)));
}

Value Combiner::combineLanes(ImplicitLocOpBuilder &b, Value value) const {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector)
    return value;
  SmallVector<Value> lanes;
  for (int64_t i = 0; i < vector.getDimSize(0); ++i)
    lanes.push_back(emitLane(b, value, i));
  return combineTree(b, lanes);
}

/// Does an accumulator enter the computation of `value`?
static bool readsAccumulator(linalg::LinalgOp root, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument)
    return argument.getOwner() == root.getBlock() &&
           argument.getArgNumber() >= root.getNumDpsInputs();
  Operation *def = value.getDefiningOp();
  if (def->getBlock() != root.getBlock())
    return false;
  return llvm::any_of(def->getOperands(), [&](Value operand) {
    return readsAccumulator(root, operand);
  });
}

FailureOr<SmallVector<Combiner>>
kernelskill::matchCombiners(linalg::LinalgOp root) {
  SmallVector<Combiner> combiners;
  for (unsigned i = 0; i < root.getNumDpsInits(); ++i) {
    SmallVector<Operation *> ops;
    Value element = matchReduction(root.getRegionOutputArgs(), i, ops);
    if (!element || ops.size() != 1 || readsAccumulator(root, element))
      return failure();
    std::optional<TypedAttr> neutral = arith::getNeutralElement(ops.front());
    if (!neutral)
      return failure();
    combiners.push_back({ops.front(), element, *neutral});
  }
  return combiners;
}
