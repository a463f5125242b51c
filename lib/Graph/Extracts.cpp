// tensor.extract at affine positions as operands with indexing maps.
#include "DataOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelskill;

/// An index value as an expression of the op's loops, or null.
static AffineExpr affineOf(Value value) {
  MLIRContext *context = value.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return getAffineDimExpr(index.getDim(), context);
  if (isa<arith::IndexCastOp>(op))
    return affineOf(op->getOperand(0));
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> dims;
    for (Value operand : apply.getMapOperands())
      if (!dims.emplace_back(affineOf(operand)))
        return {};
    AffineMap map = apply.getAffineMap();
    return map.getResult(0).replaceDimsAndSymbols(
        ArrayRef(dims).take_front(map.getNumDims()),
        ArrayRef(dims).drop_front(map.getNumDims()));
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  AffineExpr left = affineOf(op->getOperand(0));
  AffineExpr right = left ? affineOf(op->getOperand(1)) : AffineExpr();
  if (!right)
    return {};
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  return isa<AffineConstantExpr>(left) || isa<AffineConstantExpr>(right)
             ? left * right
             : AffineExpr();
}

/// Where the extract reads, if that is affine and inside of the tensor.
static std::optional<AffineMap> positionOf(tensor::ExtractOp extract,
                                           linalg::GenericOp op) {
  auto type = dyn_cast<RankedTensorType>(extract.getTensor().getType());
  if (!type || !type.hasStaticShape() ||
      op.getRegion().isAncestor(extract.getTensor().getParentRegion()))
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<std::optional<int64_t>> first(extents.size(), 0), last;
  for (int64_t extent : extents)
    last.push_back(extent - 1);
  SmallVector<AffineExpr> position;
  for (auto [index, extent] :
       llvm::zip(extract.getIndices(), type.getShape())) {
    AffineExpr expr = affineOf(index);
    if (!expr)
      return std::nullopt;
    auto bound = [&](bool isUpper) {
      return getBoundForAffineExpr(expr, extents.size(), 0, first, last,
                                   isUpper);
    };
    std::optional<int64_t> least = bound(false), most = bound(true);
    if (!least || !most || *least < 0 || *most >= extent ||
        (isa<AffineDimExpr>(expr) && *most != extent - 1))
      return std::nullopt;
    position.push_back(expr);
  }
  return AffineMap::get(op.getNumLoops(), 0, position, op.getContext());
}

namespace {

struct ExtractToOperand : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (auto extract : op.getBody()->getOps<tensor::ExtractOp>())
      if (std::optional<AffineMap> map = positionOf(extract, op)) {
        addOperand(op, extract, *map, rewriter);
        return success();
      }
    return failure();
  }

  static void addOperand(linalg::GenericOp op, tensor::ExtractOp extract,
                         AffineMap map, PatternRewriter &rewriter) {
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.insert(maps.begin() + inputs.size(), map);
    inputs.push_back(extract.getTensor());
    auto replacement = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(),
        maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), replacement.getRegion(),
                                replacement.getRegion().begin());
    BlockArgument element = replacement.getBody()->insertArgument(
        inputs.size() - 1, extract.getType(), op.getLoc());
    rewriter.replaceOp(extract, element);
    rewriter.replaceOp(op, replacement.getResults());
  }
};

} // namespace

void kernelskill::populateExtractPatterns(RewritePatternSet &patterns) {
  patterns.add<ExtractToOperand>(patterns.getContext());
}
