// --kernelskill-extract-features: writes what is known onto dispatches and
// kernels.
#include "KernelSkill/Analysis/Features.h"
#include "KernelSkill/Analysis/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_EXTRACTFEATURESPASS
#include "KernelSkill/Analysis/Passes.h.inc"
} // namespace kernelskill

namespace {
struct ExtractFeaturesPass
    : kernelskill::impl::ExtractFeaturesPassBase<ExtractFeaturesPass> {
  using ExtractFeaturesPassBase::ExtractFeaturesPassBase;

  void runOnOperation() override {
    llvm::Expected<const Chip *> target = findChip(chip);
    if (!target) {
      getOperation().emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    getOperation().walk([&](FunctionOpInterface function) {
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(*function)) {
        if (kernel.isKernel())
          write(function, extractKernelFeatures(kernel, **target));
      } else if (function->hasAttr(kDispatchAttr) &&
                 llvm::all_of(function.getArgumentTypes(),
                              llvm::IsaPred<RankedTensorType>)) {
        write(function, extractDispatchFeatures(function, **target));
      }
    });
  }

  void write(Operation *op, const FeatureSet &features) {
    op->setAttr(kFeaturesAttr, features.toAttribute(&getContext()));
  }
};
} // namespace
