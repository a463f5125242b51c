// Splits long scans into blocks, on tensors. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "KernelSkill/IR/KernelSkillOps.h"

namespace kernelskill {
#define GEN_PASS_DEF_BLOCKSCANS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using kernelskill::ScanOp;

namespace {

class Splitter {
public:
  Splitter(ScanOp scan, int64_t block)
      : scan(scan), block(block), b(scan.getLoc(), scan),
        dimension(scan.getDimension()),
        length(scan.getInputType().getDimSize(dimension)),
        reverse(scan.getReverse()) {}

  /// Replaces the scan; gives the scan over the blocks' totals, which may be
  /// long itself.
  ScanOp run();

private:
  Value slice(Value tensor, int64_t axis, int64_t offset, int64_t size);
  Value pad(Value tensor, int64_t axis, int64_t low, int64_t high);
  ScanOp scanOf(Value tensor, int64_t axis, bool exclusive);
  Value addTotals(Value blocks, Value totals);

  ScanOp scan;
  int64_t block;
  ImplicitLocOpBuilder b;
  int64_t dimension, length;
  bool reverse;
};

} // namespace

Value Splitter::slice(Value tensor, int64_t axis, int64_t offset,
                      int64_t size) {
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  SmallVector<OpFoldResult> offsets(extents.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(extents.size(), b.getIndexAttr(1));
  offsets[axis] = b.getIndexAttr(offset);
  extents[axis] = b.getIndexAttr(size);
  return tensor::ExtractSliceOp::create(b, tensor, offsets, extents, strides);
}

Value Splitter::pad(Value tensor, int64_t axis, int64_t low, int64_t high) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] += low + high;
  SmallVector<OpFoldResult> lows(shape.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> highs(lows);
  lows[axis] = b.getIndexAttr(low);
  highs[axis] = b.getIndexAttr(high);
  Value identity = arith::ConstantOp::create(b, scan.getIdentity());
  return tensor::PadOp::create(b, type.clone(shape), tensor, lows, highs,
                               identity);
}

ScanOp Splitter::scanOf(Value tensor, int64_t axis, bool exclusive) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  auto made = ScanOp::create(
      b, type, tensor, empty, b.getI64IntegerAttr(axis), scan.getIdentity(),
      exclusive ? b.getUnitAttr() : UnitAttr(), scan.getReverseAttr());
  IRMapping mapping;
  scan.getCombiner().cloneInto(&made.getCombiner(), mapping);
  return made;
}

// What comes before a block, combined with each element of its own scan.
Value Splitter::addTotals(Value blocks, Value totals) {
  auto type = cast<RankedTensorType>(blocks.getType());
  AffineMap all = b.getMultiDimIdentityMap(type.getRank());
  AffineMap ofBlock = all.dropResult(dimension + 1);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  return linalg::GenericOp::create(
             b, TypeRange{type}, ValueRange{totals, blocks}, ValueRange{empty},
             ArrayRef<AffineMap>{ofBlock, all, all}, iterators,
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               Block &body = scan.getCombiner().front();
               IRMapping mapping;
               mapping.map(body.getArguments(), args.take_front(2));
               for (Operation &op : body.without_terminator())
                 builder.clone(op, mapping);
               linalg::YieldOp::create(
                   builder, loc,
                   mapping.lookupOrDefault(
                       body.getTerminator()->getOperand(0)));
             })
      .getResult(0);
}

ScanOp Splitter::run() {
  auto type = cast<RankedTensorType>(scan.getInput().getType());
  Value input = scan.getInput();
  int64_t count = llvm::divideCeil(length, block),
          rest = count * block - length;
  // Identities go where the scan ends, so that they change nothing.
  if (rest > 0)
    input = pad(input, dimension, reverse ? rest : 0, reverse ? 0 : rest);
  SmallVector<int64_t> shape(type.getShape());
  shape[dimension] = block;
  shape.insert(shape.begin() + dimension, count);
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0, next = 0; axis < type.getRank(); ++axis) {
    groups.push_back({next++});
    if (axis == dimension)
      groups.back().push_back(next++);
  }
  Value blocks =
      tensor::ExpandShapeOp::create(b, type.clone(shape), input, groups);
  Value inner = scanOf(blocks, dimension + 1, false).getResult();
  Value totals = slice(inner, dimension + 1, reverse ? 0 : block - 1, 1);
  SmallVector<int64_t> totalShape(type.getShape());
  totalShape[dimension] = count;
  totals = tensor::CollapseShapeOp::create(b, type.clone(totalShape), totals,
                                           groups);
  ScanOp outer = scanOf(totals, dimension, true);
  Value result = addTotals(inner, outer.getResult());
  SmallVector<int64_t> padded(type.getShape());
  padded[dimension] += rest;
  result =
      tensor::CollapseShapeOp::create(b, type.clone(padded), result, groups);
  if (rest > 0)
    result = slice(result, dimension, reverse ? rest : 0, length);
  // An exclusive scan is the inclusive one of the elements but the last.
  if (scan.getExclusive()) {
    result = slice(result, dimension, reverse ? 1 : 0, length - 1);
    result = pad(result, dimension, reverse ? 0 : 1, reverse ? 1 : 0);
  }
  scan.getResult().replaceAllUsesWith(result);
  scan.erase();
  return outer;
}

namespace {

struct BlockScans : kernelskill::impl::BlockScansBase<BlockScans> {
  using BlockScansBase::BlockScansBase;

  void runOnOperation() override {
    if (block < 2) {
      getOperation().emitError("block must be at least 2, but is ") << block;
      return signalPassFailure();
    }
    SmallVector<ScanOp> worklist;
    getOperation().walk([&](ScanOp scan) { worklist.push_back(scan); });
    while (!worklist.empty()) {
      ScanOp scan = worklist.pop_back_val();
      if (isa<RankedTensorType>(scan.getInput().getType()) &&
          scan.getInputType().hasStaticShape() &&
          scan.getInputType().getDimSize(scan.getDimension()) > block)
        worklist.push_back(Splitter(scan, block).run());
    }
  }
};

} // namespace
