// The transform-dialect extension of the Codegen room, and what its ops share.
#include "KernelSkill/Codegen/TransformOps.h"

#include "Knobs.h"
#include "Refinement.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Transform/Utils/Utils.h"

using namespace mlir;
using namespace kernelskill;

#define GET_OP_CLASSES
#include "KernelSkill/Codegen/TransformOps.cpp.inc"

namespace {
class StrategyExtension
    : public transform::TransformDialectExtension<StrategyExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StrategyExtension)
  using Base::Base;
  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<bufferization::BufferizationDialect>();
    declareGeneratedDialect<gpu::GPUDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<memref::MemRefDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "KernelSkill/Codegen/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

void kernelskill::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<StrategyExtension>();
}

llvm::Expected<int64_t> kernelskill::readKnob(transform::TransformState &state,
                                              Value knob, StringRef name) {
  ArrayRef<Attribute> values = state.getParams(knob);
  if (values.size() != 1)
    return refusal("knob '{0}' must have one value, but has {1}", name,
                   values.size());
  auto value = dyn_cast<IntegerAttr>(values.front());
  if (!value || value.getInt() < 1 ||
      value.getInt() > std::numeric_limits<int32_t>::max())
    return refusal("knob '{0}' must be a positive 32-bit integer, but is {1}",
                   name, values.front());
  return value.getInt();
}

llvm::Error kernelskill::readKnobs(transform::TransformState &state,
                                   ArrayRef<KnobOperand> knobs) {
  for (const KnobOperand &knob : knobs) {
    llvm::Expected<int64_t> value = readKnob(state, knob.operand, knob.name);
    if (!value)
      return value.takeError();
    *knob.value = *value;
  }
  return llvm::Error::success();
}

DiagnosedSilenceableFailure kernelskill::applyStrategy(
    Operation *strategy, Value target, transform::TransformState &state,
    llvm::function_ref<llvm::Error(func::FuncOp)> apply) {
  DiagnosedSilenceableFailure result = DiagnosedSilenceableFailure::success();
  for (Operation *op : llvm::to_vector(state.getPayloadOps(target))) {
    auto dispatch = dyn_cast<func::FuncOp>(op);
    llvm::Error error =
        !dispatch || dispatch.isExternal()
            ? refusal("expected the func.func of a dispatch, but found '{0}'",
                      op->getName())
            : apply(dispatch);
    if (!error)
      continue;
    DiagnosedSilenceableFailure failure =
        emitSilenceableFailure(strategy->getLoc())
        << "'" << strategy->getName()
        << "' is not applicable: " << llvm::toString(std::move(error));
    failure.attachNote(op->getLoc()) << "the payload op";
    if (!result.succeeded()) {
      (void)failure.silence();
      continue;
    }
    result = std::move(failure);
  }
  return result;
}
