// Math operations that upstream's lowering for GPUs leaves out, since libdevice
// has no function for them.
#include "KernelLowering.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"

using namespace mlir;
using namespace kernelskill;

namespace {
struct LowerMathOps
    : PassWrapper<LowerMathOps, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerMathOps)
  StringRef getArgument() const override {
    return "kernelskill-lower-math-ops";
  }

  void runOnOperation() override {
    LLVMTypeConverter types(&getContext());
    RewritePatternSet patterns(&getContext());
    populateMathToLLVMConversionPatterns(types, patterns);
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect, math::MathDialect>();
    target.addIllegalOp<math::CountLeadingZerosOp, math::CountTrailingZerosOp,
                        math::CtPopOp, math::TruncOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> kernelskill::createLowerMathOpsPass() {
  return std::make_unique<LowerMathOps>();
}
