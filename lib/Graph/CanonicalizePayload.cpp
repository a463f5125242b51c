// --kernelskill-canonicalize-payload: the form that dispatches are made from.
#include "DataOps.h"
#include "GatherIndices.h"
#include "KernelSkill/Graph/Passes.h"
#include "PayloadContract.h"
#include "Variances.h"
#include "WidenSums.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace kernelskill {
#define GEN_PASS_DEF_CANONICALIZEPAYLOAD
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

namespace {

/// A constant tensor of equal elements is a fill, so that later rules know one
/// form only.
struct SplatToFill : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat || !isa<RankedTensorType>(op.getType()))
      return failure();
    auto type = cast<RankedTensorType>(op.getType());
    Value scalar = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(splat.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, scalar, empty);
    return success();
  }
};

/// A double constant narrowed in a region (PyTorch's scalars are doubles) is a
/// constant of the narrow type. Upstream folds it only where nothing is lost.
struct RoundConstant : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    FloatAttr constant;
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type || op.getRoundingmode() ||
        !matchPattern(op.getIn(), m_Constant(&constant)))
      return failure();
    APFloat value = constant.getValue();
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   FloatAttr::get(type, value));
    return success();
  }
};

struct CanonicalizePayload
    : kernelskill::impl::CanonicalizePayloadBase<CanonicalizePayload> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (isKernelModule(module))
      return;
    FailureOr<func::FuncOp> function = publicFunctionOf(module);
    if (failed(function) || failed(checkTypes(*function)) ||
        failed(checkGatherIndices(*function)) || failed(rewrite(*function)) ||
        failed(checkBody(*function)))
      signalPassFailure();
  }

  LogicalResult rewrite(func::FuncOp function);
  LogicalResult simplify(func::FuncOp function);
};

} // namespace

/// Named operations become generics, so that all later rules see one form. Not
/// so fills: they are inits.
static void generalize(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> named;
  function.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      named.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

LogicalResult CanonicalizePayload::simplify(func::FuncOp function) {
  MLIRContext *context = &getContext();
  RewritePatternSet patterns(context);
  patterns.add<SplatToFill, RoundConstant>(context);
  populateDataOpPatterns(patterns);
  populateExtractPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  // Of the fusion patterns only those that fold fills and constants into
  // regions: fusion itself waits for --kernelskill-form-dispatches.
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  tensor::populateFoldTensorEmptyPatterns(patterns);
  populateMathAlgebraicSimplificationPatterns(patterns);
  for (StringRef name : {"arith", "linalg", "tensor", "math"})
    if (Dialect *dialect = context->getLoadedDialect(name))
      dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (llvm::is_contained({"arith", "linalg", "tensor", "math"},
                           name.getDialectNamespace()))
      name.getCanonicalizationPatterns(patterns, context);
  return applyPatternsGreedily(function, std::move(patterns));
}

LogicalResult CanonicalizePayload::rewrite(func::FuncOp function) {
  generalize(function);
  narrowVariances(function);
  if (failed(simplify(function)))
    return failure();
  widenSums(function);

  trimWindows(function);
  // These patterns must not be driven greedily, upstream says.
  RewritePatternSet unitLoops(&getContext());
  linalg::ControlDropUnitDims control;
  linalg::populateFoldUnitExtentDimsPatterns(unitLoops, control);
  linalg::populateMoveInitOperandsToInputPattern(unitLoops);
  walkAndApplyPatterns(function, std::move(unitLoops));

  RewritePatternSet reshapes(&getContext());
  linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(reshapes, control);
  if (failed(applyPatternsGreedily(function, std::move(reshapes))) ||
      failed(simplify(function)))
    return failure();
  IRRewriter rewriter(&getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);
  return success();
}
