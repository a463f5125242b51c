// Recognises slices, padded and zero-stuffed tensors.
#include "KernelSkill/Analysis/InPlaceRead.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelskill;

static TypedAttr constantOf(Value value) {
  Attribute constant;
  if (!value || !matchPattern(value, m_Constant(&constant)))
    return {};
  return dyn_cast<TypedAttr>(constant);
}

static std::optional<InPlaceRead> matchPad(tensor::PadOp pad) {
  auto source = dyn_cast<RankedTensorType>(pad.getSource().getType());
  InPlaceRead read{
      pad.getSource(), {}, constantOf(pad.getConstantPaddingValue())};
  if (!read.padding || !source.hasStaticShape())
    return std::nullopt;
  for (auto [low, high, size] :
       llvm::zip(pad.getStaticLow(), pad.getStaticHigh(), source.getShape())) {
    if (low < 0 || high < 0)
      return std::nullopt;
    read.dims.push_back({low, size, 1, false});
  }
  return read;
}

/// Offsets, sizes and strides; false if one is dynamic, which is negative.
template <typename SliceOp>
static bool addDims(SliceOp op, InPlaceRead &read) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    if (offset < 0 || size < 0 || stride < 1)
      return false;
    read.dims.push_back({offset, size, stride, dropped[i]});
  }
  return true;
}

static std::optional<InPlaceRead> matchInsert(tensor::InsertSliceOp insert) {
  auto fill = insert.getDest().getDefiningOp<linalg::FillOp>();
  if (!fill)
    return std::nullopt;
  InPlaceRead read{insert.getSource(), {}, constantOf(fill.value())};
  if (!read.padding || !addDims(insert, read))
    return std::nullopt;
  return read;
}

static std::optional<InPlaceRead> matchSlice(tensor::ExtractSliceOp slice) {
  InPlaceRead read{slice.getSource(), {}, {}};
  if (!addDims(slice, read))
    return std::nullopt;
  return read;
}

std::optional<InPlaceRead> kernelskill::matchInPlaceRead(Value tensor) {
  if (auto pad = tensor.getDefiningOp<tensor::PadOp>())
    return matchPad(pad);
  if (auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>())
    return matchInsert(insert);
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    return matchSlice(slice);
  return std::nullopt;
}
