// Features of a dispatch on tensors: the work that has to be done, whatever the
// kernels that will do it.
#include "KernelSkill/Analysis/Features.h"
#include "KernelSkill/Analysis/TimeEstimate.h"
#include "KernelTrace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

static std::optional<double> bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return std::nullopt;
  return static_cast<double>(tensor.getNumElements()) *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

/// Bytes of an argument that are read: of slices only, if all its users are.
static std::optional<double> readBytes(BlockArgument argument) {
  double slices = 0;
  for (Operation *user : argument.getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    std::optional<double> bytes =
        slice ? bytesOf(slice.getType()) : std::nullopt;
    if (!bytes)
      return bytesOf(argument.getType());
    slices += *bytes;
  }
  std::optional<double> whole = bytesOf(argument.getType());
  return whole ? std::optional<double>(std::min(slices, *whole)) : std::nullopt;
}

static void setReductionFeatures(linalg::LinalgOp op, FeatureSet &features) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  double length = 1;
  for (auto [range, kind] : llvm::zip(ranges, op.getIteratorTypesArray())) {
    if (kind != utils::IteratorType::reduction)
      continue;
    if (ShapedType::isDynamic(range))
      return;
    length *= range;
  }
  if (length <= features.getOr(Feature::ReductionLength, 1))
    return;
  features.set(Feature::ReductionLength, length);
  // The largest operand decides where neighbouring elements lie.
  OpOperand *largest = nullptr;
  double most = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (double bytes = bytesOf(input->get().getType()).value_or(0);
        bytes > most)
      most = bytes, largest = input;
  if (!largest)
    return;
  AffineMap map = op.getMatchingIndexingMap(largest);
  if (map.getNumResults() == 0)
    return;
  if (auto innermost =
          dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1)))
    features.set(Feature::InnerReduced,
                 op.getIteratorTypesArray()[innermost.getPosition()] ==
                     utils::IteratorType::reduction);
}

FeatureSet kernelskill::extractDispatchFeatures(FunctionOpInterface dispatch,
                                                const Chip &chip) {
  FeatureSet features;
  if (auto attribute = dispatch->getAttrOfType<DispatchAttr>(kDispatchAttr))
    features.set(Feature::Kind, static_cast<double>(attribute.getKind()));
  if (dispatch.isExternal())
    return features;
  Sum bytes, flops, results;
  for (BlockArgument argument : dispatch.getArguments())
    bytes.add(readBytes(argument));
  for (Type type : dispatch.getResultTypes()) {
    bytes.add(bytesOf(type));
    auto tensor = dyn_cast<RankedTensorType>(type);
    results.add(tensor && tensor.hasStaticShape()
                    ? std::optional<double>(tensor.getNumElements())
                    : std::nullopt);
  }
  bool transcendentals = false;
  features.set(Feature::ReductionLength, 1);
  dispatch->walk([&](linalg::LinalgOp op) {
    double iterations = 1;
    bool isKnown = true;
    for (int64_t range : op.getStaticLoopRanges()) {
      isKnown &= !ShapedType::isDynamic(range);
      iterations *= range;
    }
    double perIteration = 0;
    for (Operation &inner : *op.getBlock()) {
      perIteration += flopsOf(&inner);
      transcendentals |= isTranscendental(&inner);
    }
    flops.add(isKnown ? std::optional<double>(iterations * perIteration)
                      : std::nullopt);
    setReductionFeatures(op, features);
  });
  features.set(Feature::Transcendentals, transcendentals);
  features.set(Feature::Flops, flops.get());
  features.set(Feature::MinBytes, bytes.get());
  features.set(Feature::ResultCount, results.get());
  if (flops.get() && bytes.get() && *bytes.get() > 0)
    features.set(Feature::ArithmeticIntensity, *flops.get() / *bytes.get());
  features.set(Feature::BoundTime, rooflineUs(features, chip));
  return features;
}
