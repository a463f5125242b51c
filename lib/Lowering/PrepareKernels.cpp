// Expands what neither back end has as one operation, before they part ways, so
// that both run the same arithmetic in the same order.
#include "KernelLowering.h"

#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"

using namespace mlir;
using namespace kernelskill;

namespace {
struct ExpandKernelOps
    : PassWrapper<ExpandKernelOps, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandKernelOps)
  StringRef getArgument() const override {
    return "kernelskill-expand-kernel-ops";
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // A 64-bit value is exchanged as two 32-bit halves; the narrow form comes
    // first where both fit.
    for (auto [width, benefit] : {std::pair(32u, 2u), std::pair(64u, 1u)}) {
      populateGpuLowerSubgroupReduceToShufflePatterns(patterns, kWarp, width,
                                                      benefit);
      populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, kWarp,
                                                               width, benefit);
    }
    populateGpuBreakDownSubgroupReducePatterns(patterns, 32, 3);
    populateGpuRewritePatterns(patterns);
    populateGpuSubgroupIdPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    populateExpandMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  static constexpr unsigned kWarp = 32;
};
} // namespace

LogicalResult kernelskill::prepareKernels(ModuleOp module) {
  // Device functions are inlined: the CPU image hands the thread to kernels
  // only.
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createSymbolDCEPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  kernels.addPass(std::make_unique<ExpandKernelOps>());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());
  return pm.run(module);
}
