// What all refinements share; see the header.
#include "Refinement.h"

#include "Knobs.h"

using namespace mlir;
using namespace kernelskill;

DiagnosedSilenceableFailure kernelskill::applyRefinement(
    Operation *refinement, Value target, transform::TransformState &state,
    llvm::function_ref<llvm::Error(gpu::GPUFuncOp)> apply) {
  DiagnosedSilenceableFailure result = DiagnosedSilenceableFailure::success();
  for (Operation *op : llvm::to_vector(state.getPayloadOps(target))) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
    llvm::Error error =
        !kernel ? refusal("expected a gpu.func, but found '{0}'", op->getName())
                : apply(kernel);
    if (!error)
      continue;
    DiagnosedSilenceableFailure failure =
        emitSilenceableFailure(refinement->getLoc())
        << "'" << refinement->getName()
        << "' is not applicable: " << llvm::toString(std::move(error));
    failure.attachNote(op->getLoc()) << "the payload op";
    if (result.succeeded())
      result = std::move(failure);
    else
      (void)failure.silence();
  }
  return result;
}

llvm::Expected<std::array<int64_t, 3>>
kernelskill::blockSize(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> known = kernel.getKnownBlockSize();
  if (!known || known->size() != 3)
    return refusal("the kernel has no known_block_size");
  return std::array<int64_t, 3>{(*known)[0], (*known)[1], (*known)[2]};
}
