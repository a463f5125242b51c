// Slices for windows that read part of their input.
#include "DataOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kernelskill;

/// The extent that a dimension must have once loops of extent 1 are gone: that
/// of the one loop that its expression is then; nothing if it is no single
/// loop.
static std::optional<int64_t> extentWithoutUnits(AffineExpr expr,
                                                 ArrayRef<int64_t> extents) {
  if (isa<AffineDimExpr>(expr))
    return std::nullopt;
  MLIRContext *context = expr.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [i, extent] : llvm::enumerate(extents))
    dims.push_back(extent == 1 ? getAffineConstantExpr(0, context)
                               : getAffineDimExpr(i, context));
  auto dim = dyn_cast<AffineDimExpr>(expr.replaceDims(dims));
  if (!dim)
    return std::nullopt;
  return extents[dim.getPosition()];
}

void kernelskill::trimWindows(func::FuncOp function) {
  OpBuilder builder(function.getContext());
  for (auto op : function.getBody().front().getOps<linalg::GenericOp>()) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto type = cast<RankedTensorType>(input->get().getType());
      SmallVector<int64_t> shape(type.getShape());
      for (auto [extent, expr] :
           llvm::zip(shape, op.getMatchingIndexingMap(input).getResults()))
        extent = extentWithoutUnits(expr, extents).value_or(extent);
      if (type.getShape() == ArrayRef(shape))
        continue;
      builder.setInsertionPoint(op);
      SmallVector<OpFoldResult> zeros(shape.size(), builder.getIndexAttr(0));
      SmallVector<OpFoldResult> ones(shape.size(), builder.getIndexAttr(1));
      input->set(tensor::ExtractSliceOp::create(
          builder, op.getLoc(), input->get(), zeros,
          getAsIndexOpFoldResult(builder.getContext(), shape), ones));
    }
  }
}
