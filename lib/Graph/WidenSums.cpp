// Sums of 16-bit floats, in single precision.
//
// A payload that sums f16 or bf16 numbers in their own type rounds each partial
// sum to 11 or 8 bits, and has little left of a long sum. PyTorch, BLAS and
// tensor cores accumulate in f32 and round once, and so does what this makes:
// it loses no more than the payload's own order of additions, and as a rule
// much less.
#include "WidenSums.h"

#include "DataOps.h"
#include "KernelSkill/Graph/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Matchers.h"

namespace kernelskill {
#define GEN_PASS_DEF_WIDENSUMS
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

/// The addition by which the op sums its one result in 16 bits, or null.
static arith::AddFOp narrowSumOf(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return {};
  Type element = getElementTypeOrSelf(op.getResult(0));
  SmallVector<Operation *> combiners;
  if (!(element.isF16() || element.isBF16()) ||
      !matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return {};
  return dyn_cast<arith::AddFOp>(combiners.front());
}

static Value widen(OpBuilder &b, Location loc, Value value) {
  return arith::ExtFOp::create(b, loc, b.getF32Type(), value);
}

/// What the sum starts from, in f32.
static Value widenInit(RewriterBase &rewriter, Location loc, Value init) {
  auto type = cast<RankedTensorType>(init.getType());
  auto wide = cast<RankedTensorType>(type.clone(rewriter.getF32Type()));
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, wide.getShape(),
                                          wide.getElementType());
    Value value = widen(rewriter, loc, fill.value());
    return linalg::FillOp::create(rewriter, loc, value, empty).getResult(0);
  }
  return createElementwise(rewriter, loc, wide, {init}, {identity},
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             linalg::YieldOp::create(b, loc,
                                                     widen(b, loc, args[0]));
                           })
      .getResult(0);
}

/// The body with its running sum in f32. A product that is summed is formed in
/// f32, too, where it is exact.
static void widenBody(OpBuilder &b, linalg::GenericOp op, arith::AddFOp sum,
                      ValueRange arguments) {
  Location loc = sum.getLoc();
  IRMapping body;
  body.map(op.getBody()->getArguments(), arguments);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (&inner != sum.getOperation()) {
      b.clone(inner, body);
      continue;
    }
    bool runsFirst = sum.getLhs() == op.getRegionOutputArgs().front();
    Value summand = runsFirst ? sum.getRhs() : sum.getLhs();
    Value wide;
    if (auto product = summand.getDefiningOp<arith::MulFOp>())
      wide = arith::MulFOp::create(
          b, loc, widen(b, loc, body.lookupOrDefault(product.getLhs())),
          widen(b, loc, body.lookupOrDefault(product.getRhs())));
    else
      wide = widen(b, loc, body.lookupOrDefault(summand));
    body.map(sum.getResult(),
             arith::AddFOp::create(b, loc, wide, arguments.back()).getResult());
  }
  linalg::YieldOp::create(b, loc, body.lookup(sum.getResult()));
}

void kernelskill::widenSums(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  for (linalg::GenericOp op : generics) {
    arith::AddFOp sum = narrowSumOf(op);
    if (!sum)
      continue;
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    rewriter.setInsertionPoint(op);
    Value init = widenInit(rewriter, loc, op.getDpsInitOperand(0)->get());
    auto wide = linalg::GenericOp::create(
        rewriter, loc, init.getType(), op.getInputs(), init,
        op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location, ValueRange arguments) {
          widenBody(b, op, sum, arguments);
        });
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    linalg::GenericOp rounded = createElementwise(
        rewriter, loc, type, {wide.getResult(0)}, {identity},
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          Value narrow = arith::TruncFOp::create(b, loc, type.getElementType(),
                                                 arguments[0]);
          linalg::YieldOp::create(b, loc, narrow);
        });
    rewriter.replaceOp(op, rounded.getResults());
  }
}

namespace {
struct WidenSums : kernelskill::impl::WidenSumsBase<WidenSums> {
  void runOnOperation() override {
    if (!getOperation().isExternal())
      widenSums(getOperation());
  }
};
} // namespace
