// Concatenations as insertions, insertions as generics.
#include "DataOps.h"

#include "Fusion.h"
#include "KernelSkill/Analysis/InPlaceRead.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

using namespace mlir;
using namespace kernelskill;

static Value emptyOf(OpBuilder &builder, Location loc, RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}

static Value zeroFill(OpBuilder &builder, Location loc, RankedTensorType type) {
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  return linalg::FillOp::create(builder, loc, zero, emptyOf(builder, loc, type))
      .getResult(0);
}

linalg::GenericOp kernelskill::createElementwise(
    OpBuilder &builder, Location loc, RankedTensorType type, ValueRange inputs,
    ArrayRef<AffineMap> maps,
    llvm::function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, type, inputs,
                                   emptyOf(builder, loc, type), all, loops,
                                   body);
}

/// A generic that copies its one input.
static linalg::GenericOp createCopy(OpBuilder &builder, Value source) {
  auto type = cast<RankedTensorType>(source.getType());
  return createElementwise(
      builder, source.getLoc(), type, source,
      builder.getMultiDimIdentityMap(type.getRank()),
      [](OpBuilder &inner, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(inner, loc, arguments.front());
      });
}

namespace {

/// An insertion into another tensor selects between the two.
struct InsertToGeneric : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getOffsets().empty() || !op.getSizes().empty() ||
        !op.getStrides().empty() || matchInPlaceRead(op.getResult()))
      return failure();
    Location loc = op.getLoc();
    RankedTensorType type = op.getType();
    Value fill = zeroFill(rewriter, loc, type);
    // What lies around an undefined tensor may be anything.
    if (op.getDest().getDefiningOp<tensor::EmptyOp>()) {
      rewriter.modifyOpInPlace(op, [&] { op.getDestMutable().assign(fill); });
      return success();
    }
    Value padded = tensor::InsertSliceOp::create(
        rewriter, loc, op.getSource(), fill, op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    auto select = [&](OpBuilder &b, Location loc, ValueRange arguments) {
      linalg::YieldOp::create(b, loc, chooseInserted(op, b, loc, arguments));
    };
    rewriter.replaceOp(op, createElementwise(rewriter, loc, type,
                                             {op.getDest(), padded},
                                             {identity, identity}, select));
    return success();
  }

  static Value chooseInserted(tensor::InsertSliceOp op, OpBuilder &b,
                              Location loc, ValueRange arguments) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    Value inside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    auto require = [&](arith::CmpIPredicate predicate, Value left,
                       int64_t right) {
      Value holds =
          arith::CmpIOp::create(b, loc, predicate, left, constant(right));
      inside = b.createOrFold<arith::AndIOp>(loc, inside, holds);
    };
    for (auto [i, offset, size, stride, extent] :
         llvm::enumerate(op.getStaticOffsets(), op.getStaticSizes(),
                         op.getStaticStrides(), op.getType().getShape())) {
      if (size == extent)
        continue;
      Value index = linalg::IndexOp::create(b, loc, i);
      Value shifted = arith::SubIOp::create(b, loc, index, constant(offset));
      require(arith::CmpIPredicate::ult, shifted, (size - 1) * stride + 1);
      if (stride != 1)
        require(arith::CmpIPredicate::eq,
                arith::RemSIOp::create(b, loc, shifted, constant(stride)), 0);
    }
    return arith::SelectOp::create(b, loc, inside, arguments[1], arguments[0]);
  }
};

/// Splitting whole dimensions of a padded tensor (into groups of channels)
/// splits those of its source, so that it can still be read in place.
struct ExpandSource : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto insert = op.getSrc().getDefiningOp<tensor::InsertSliceOp>();
    std::optional<InPlaceRead> read = matchInPlaceRead(op.getSrc());
    if (!insert || !read || !insert.getDroppedDims().none())
      return failure();
    Location loc = op.getLoc();
    ArrayRef<int64_t> extents = insert.getType().getShape();
    RankedTensorType type = op.getResultType();
    SmallVector<OpFoldResult> offsets, sizes, strides;
    auto push = [&](int64_t offset, int64_t size, int64_t stride) {
      offsets.push_back(rewriter.getIndexAttr(offset));
      sizes.push_back(rewriter.getIndexAttr(size));
      strides.push_back(rewriter.getIndexAttr(stride));
    };
    SmallVector<int64_t> shape;
    for (auto [dim, extent, group] :
         llvm::zip(read->dims, extents, op.getReassociationIndices())) {
      bool isWhole = dim.offset == 0 && dim.size == extent && dim.stride == 1;
      if (group.size() == 1)
        push(dim.offset, dim.size, dim.stride);
      else if (!isWhole)
        return failure();
      for (int64_t i : group) {
        if (group.size() > 1)
          push(0, type.getDimSize(i), 1);
        shape.push_back(group.size() > 1 ? type.getDimSize(i) : dim.size);
      }
    }
    Value source = tensor::ExpandShapeOp::create(
        rewriter, loc, type.clone(shape), read->source,
        op.getReassociationIndices());
    Value scalar = arith::ConstantOp::create(rewriter, loc, read->padding);
    Value fill = linalg::FillOp::create(rewriter, loc, scalar,
                                        emptyOf(rewriter, loc, type))
                     .getResult(0);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(op, source, fill,
                                                       offsets, sizes, strides);
    return success();
  }
};

} // namespace

void kernelskill::populateDataOpPatterns(RewritePatternSet &patterns) {
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  patterns.add<InsertToGeneric, ExpandSource>(patterns.getContext());
}

static bool readsInPlace(OpOperand &use, const InPlaceRead &read) {
  if (auto user = dyn_cast<linalg::GenericOp>(use.getOwner()))
    return user.isDpsInput(&use) && !isContraction(user);
  if (!isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ExtractSliceOp>(
          use.getOwner()) ||
      use.getOperandNumber() != 0)
    return false;
  std::optional<InPlaceRead> outer =
      matchInPlaceRead(use.getOwner()->getResult(0));
  return outer &&
         (!outer->padding || !read.padding || outer->padding == read.padding);
}

void kernelskill::materializeReads(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    if (isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ExtractSliceOp>(op))
      ops.push_back(&op);
  for (Operation *op : ops) {
    std::optional<InPlaceRead> read = matchInPlaceRead(op->getResult(0));
    if (!read)
      continue;
    Value copy;
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      if (readsInPlace(use, *read))
        continue;
      if (!copy) {
        builder.setInsertionPointAfter(op);
        copy = createCopy(builder, op->getResult(0)).getResult(0);
      }
      use.set(copy);
    }
  }
}
