// Follows indices of gathers back to arguments; see the header.
#include "GatherIndices.h"
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kernelskill;

/// The argument of the function whose elements the value is one of, or holds;
/// null if it is computed.
static BlockArgument argumentOf(Value value, func::FuncOp function) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (owner == function)
        return argument;
      auto structured = dyn_cast<linalg::LinalgOp>(owner);
      if (!structured ||
          int64_t(argument.getArgNumber()) >= structured.getNumDpsInputs())
        return nullptr;
      value = structured.getDpsInputOperand(argument.getArgNumber())->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa<arith::IndexCastOp, arith::ExtSIOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::ExtractSliceOp, tensor::CastOp>(op))
      value = op->getOperand(0);
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      value = extract.getTensor();
    else
      return nullptr;
  }
}

/// The least and the greatest value that may be drawn, both included; none
/// where it has no bounds.
static std::optional<std::pair<double, double>> drawnRange(ArgumentAttr says,
                                                           Type element) {
  if (element.isInteger(1))
    return std::pair(0.0, 1.0);
  if (!says || says.getDraw() == Draw::Normal)
    return std::nullopt;
  double scale = says.getScale() ? says.getScale().getValueAsDouble() : 1;
  double shift = says.getShift() ? says.getShift().getValueAsDouble() : 0;
  switch (says.getDraw()) {
  case Draw::Zeros:
    return std::pair(shift, shift);
  case Draw::Ones:
    return std::pair(scale + shift, scale + shift);
  case Draw::Integer:
    return std::pair(shift, shift + scale - 1);
  default:
    return std::pair(shift, shift + scale);
  }
}

static LogicalResult checkExtract(tensor::ExtractOp extract,
                                  func::FuncOp function) {
  for (auto [axis, index] : llvm::enumerate(extract.getIndices())) {
    BlockArgument argument = argumentOf(index, function);
    if (!argument)
      continue;
    int64_t extent = extract.getTensor().getType().getDimSize(axis);
    auto says = function.getArgAttrOfType<ArgumentAttr>(argument.getArgNumber(),
                                                        kArgumentAttr);
    auto range = drawnRange(says, getElementTypeOrSelf(argument.getType()));
    if (range && range->first >= 0 && range->second <= extent - 1)
      continue;
    std::string name =
        says ? "'" + says.getName().str() + "'"
             : "number " + std::to_string(argument.getArgNumber());
    InFlightDiagnostic diagnostic =
        extract.emitError()
        << "argument " << name << " indexes dimension " << axis << " of "
        << extent << " elements, but its values are drawn "
        << (range ? "between " + std::to_string(int64_t(range->first)) +
                        " and " + std::to_string(int64_t(range->second))
                  : "from the normal distribution");
    diagnostic.attachNote(argument.getLoc())
        << "say how they are drawn: kernelskill.argument = "
           "#kernelskill.argument<\"name\", input, integer, scale = "
        << extent << ".0 : f64>";
    return diagnostic;
  }
  return success();
}

LogicalResult kernelskill::checkGatherIndices(func::FuncOp function) {
  WalkResult walked = function.walk([&](tensor::ExtractOp extract) {
    return WalkResult(checkExtract(extract, function));
  });
  return failure(walked.wasInterrupted());
}
