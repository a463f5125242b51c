// Vector operations down to those that have a conversion to LLVM.
#include "KernelLowering.h"

#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"

using namespace mlir;
using namespace kernelskill;

namespace {
struct LowerVectorOps
    : PassWrapper<LowerVectorOps, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerVectorOps)
  LowerVectorOps(Backend backend, unsigned indexBitwidth)
      : backend(backend), indexBitwidth(indexBitwidth) {}
  StringRef getArgument() const override {
    return "kernelskill-lower-vector-ops";
  }

  void runOnOperation() override {
    using namespace vector;
    RewritePatternSet patterns(&getContext());
    // The order and the forms are those of upstream's convert-vector-to-llvm,
    // whose conversion interface leaves them out.
    populateVectorContractLoweringPatterns(
        patterns, VectorContractLowering::OuterProduct);
    populateVectorOuterProductLoweringPatterns(patterns);
    populateVectorMultiReductionLoweringPatterns(
        patterns, VectorMultiReductionLowering::InnerParallel);
    populateVectorBroadcastLoweringPatterns(patterns);
    populateVectorMaskOpLoweringPatterns(patterns);
    populateVectorShapeCastLoweringPatterns(patterns);
    populateVectorInterleaveLoweringPatterns(patterns);
    populateVectorTransposeLoweringPatterns(patterns,
                                            VectorTransposeLowering::EltWise);
    populateVectorTransferLoweringPatterns(patterns, /*maxTransferRank=*/1);
    populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/indexBitwidth == 32);
    populateVectorInsertExtractStridedSliceTransforms(patterns);
    populateVectorStepLoweringPatterns(patterns);
    populateVectorRankReducingFMAPattern(patterns);
    populateVectorGatherLoweringPatterns(patterns);
    if (backend == Backend::Cpu) { // so that each lane's access is checked
      populateVectorMaskedLoadStoreEmulationPatterns(patterns);
      populateVectorGatherToConditionalLoadPatterns(patterns);
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  Backend backend;
  unsigned indexBitwidth;
};
} // namespace

std::unique_ptr<Pass>
kernelskill::createLowerVectorOpsPass(Backend backend, unsigned indexBitwidth) {
  return std::make_unique<LowerVectorOps>(backend, indexBitwidth);
}
