// Variances that a front end computes in double precision, in single precision.
//
// PyTorch's front ends widen to f64, sum, divide, subtract the mean, square,
// sum, divide and narrow again. Without the widening the same steps are the
// two-pass variance, which is as good as single precision can be:
// docs/numerics.md has the proof. Other computations in f64 (a sum of squares
// minus a squared mean) would not be, so exactly this form is matched.
#include "Variances.h"

#include "KernelSkill/Graph/Passes.h"

#include "mlir/IR/Matchers.h"

namespace kernelskill {
#define GEN_PASS_DEF_NARROWVARIANCES
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

/// The op that makes a value: a generic whose region is one `Op` and its yield;
/// null if it is not.
template <typename Op>
static linalg::GenericOp genericOf(Value value, bool reduces) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInits() != 1 ||
      (generic.getNumReductionLoops() != 0) != reduces ||
      !llvm::hasNItems(generic.getBody()->getOperations(), 2))
    return {};
  auto inner = dyn_cast<Op>(generic.getBody()->front());
  if (!inner ||
      generic.getBody()->getTerminator()->getOperand(0) != inner->getResult(0))
    return {};
  return generic;
}

/// The generic's input that operand `number` of its one inner op is, or null.
static Value inputOf(linalg::GenericOp generic, unsigned number) {
  Operation &inner = generic.getBody()->front();
  auto argument = dyn_cast<BlockArgument>(inner.getOperand(number));
  if (!argument || argument.getArgNumber() >= generic.getNumDpsInputs())
    return {};
  return generic.getDpsInputOperand(argument.getArgNumber())->get();
}

/// A sum from zero: what it sums.
static Value summandOf(linalg::GenericOp sum) {
  auto fill = sum.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    return {};
  Operation &add = sum.getBody()->front();
  bool first = isa<BlockArgument>(add.getOperand(0)) &&
               cast<BlockArgument>(add.getOperand(0)).getArgNumber() == 0;
  if (sum.getNumDpsInputs() != 1 ||
      add.getOperand(first) != sum.getRegionOutputArgs().front())
    return {};
  return inputOf(sum, first ? 0 : 1);
}

/// A quotient by a constant: what is divided.
static linalg::GenericOp quotientOf(Value value) {
  auto quotient = genericOf<arith::DivFOp>(value, /*reduces=*/false);
  if (!quotient ||
      !matchPattern(quotient.getBody()->front().getOperand(1), m_Constant()))
    return {};
  return quotient;
}

namespace {
/// The steps of one variance, first to last.
struct Variance {
  linalg::GenericOp widen, sum, mean, subtract, square, sumOfSquares, variance,
      narrow;
};
} // namespace

static std::optional<Variance> matchVariance(linalg::GenericOp narrow) {
  Variance v;
  v.narrow = narrow;
  if (!genericOf<arith::TruncFOp>(narrow.getResult(0), false) ||
      !getElementTypeOrSelf(narrow.getResult(0)).isF32())
    return std::nullopt;
  auto step = [](auto &to, Value from, auto match) {
    to = from ? match(from) : linalg::GenericOp();
    return static_cast<bool>(to);
  };
  auto isSum = [](Value value) {
    return genericOf<arith::AddFOp>(value, true);
  };
  if (!step(v.variance, inputOf(narrow, 0), quotientOf) ||
      !step(v.sumOfSquares, inputOf(v.variance, 0), isSum) ||
      !step(v.square, summandOf(v.sumOfSquares),
            [](Value x) { return genericOf<arith::MulFOp>(x, false); }))
    return std::nullopt;
  Value difference = inputOf(v.square, 0);
  if (difference != inputOf(v.square, 1) ||
      !llvm::all_equal(ArrayRef(v.square.getIndexingMapsArray()).drop_back()) ||
      !step(v.subtract, difference,
            [](Value x) { return genericOf<arith::SubFOp>(x, false); }) ||
      !step(v.widen, inputOf(v.subtract, 0),
            [](Value x) { return genericOf<arith::ExtFOp>(x, false); }) ||
      !step(v.mean, inputOf(v.subtract, 1), quotientOf) ||
      !step(v.sum, inputOf(v.mean, 0), isSum))
    return std::nullopt;
  if (summandOf(v.sum) != v.widen.getResult(0) ||
      v.sum.getIndexingMapsAttr() != v.sumOfSquares.getIndexingMapsAttr() ||
      v.sum.getIteratorTypesArray() != v.sumOfSquares.getIteratorTypesArray() ||
      !inputOf(v.widen, 0) ||
      !getElementTypeOrSelf(inputOf(v.widen, 0)).isF32())
    return std::nullopt;
  for (linalg::GenericOp copied : {v.widen, v.narrow})
    if (!llvm::all_of(copied.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }))
      return std::nullopt;
  return v;
}

/// The step in f32, its f64 operands replaced by what `narrowed` holds.
static void narrowStep(RewriterBase &rewriter, linalg::GenericOp step,
                       IRMapping &narrowed) {
  Location loc = step.getLoc();
  Type f32 = rewriter.getF32Type();
  Value init = step.getDpsInitOperand(0)->get();
  auto type = cast<RankedTensorType>(init.getType()).clone(f32);
  Value start = tensor::EmptyOp::create(
      rewriter, loc, cast<RankedTensorType>(type).getShape(), f32);
  if (init.getDefiningOp<linalg::FillOp>()) {
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getF32FloatAttr(0.0f));
    start = linalg::FillOp::create(rewriter, loc, zero, start).getResult(0);
  }
  SmallVector<Value> inputs = llvm::map_to_vector(
      step.getDpsInputs(), [&](Value input) { return narrowed.lookup(input); });
  Operation &inner = step.getBody()->front();
  auto replacement = linalg::GenericOp::create(
      rewriter, loc, type, inputs, start, step.getIndexingMapsArray(),
      step.getIteratorTypesArray(),
      [&](OpBuilder &b, Location bodyLoc, ValueRange arguments) {
        IRMapping body;
        body.map(step.getBody()->getArguments(), arguments);
        FloatAttr constant;
        for (Value operand : inner.getOperands())
          if (matchPattern(operand, m_Constant(&constant)))
            body.map(operand, arith::ConstantOp::create(
                                  b, bodyLoc,
                                  b.getF32FloatAttr(static_cast<float>(
                                      constant.getValueAsDouble()))));
        Operation *clone = b.clone(inner, body);
        clone->getResult(0).setType(f32);
        linalg::YieldOp::create(b, bodyLoc, clone->getResult(0));
      });
  narrowed.map(step.getResult(0), replacement.getResult(0));
}

void kernelskill::narrowVariances(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : generics) {
    if (op.getNumDpsInits() != 1)
      continue;
    std::optional<Variance> v = matchVariance(op);
    if (!v)
      continue;
    rewriter.setInsertionPoint(op);
    IRMapping narrowed;
    narrowed.map(v->widen.getResult(0), inputOf(v->widen, 0));
    for (linalg::GenericOp step : {v->sum, v->mean, v->subtract, v->square,
                                   v->sumOfSquares, v->variance})
      narrowStep(rewriter, step, narrowed);
    rewriter.replaceOp(op, narrowed.lookup(v->variance.getResult(0)));
  }
}

namespace {
struct NarrowVariances
    : kernelskill::impl::NarrowVariancesBase<NarrowVariances> {
  void runOnOperation() override {
    if (!getOperation().isExternal())
      narrowVariances(getOperation());
  }
};
} // namespace
