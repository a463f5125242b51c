// --kernelskill-lower-to-ptx: prints the kernels' PTX.
#include "BackEnd.h"
#include "KernelLowering.h"
#include "PlannedKernels.h"

#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Lowering/Passes.h"

namespace kernelskill {
#define GEN_PASS_DEF_LOWERTOPTX
#include "KernelSkill/Lowering/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

namespace {
struct LowerToPtx : kernelskill::impl::LowerToPtxBase<LowerToPtx> {
  using LowerToPtxBase::LowerToPtxBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  void runOnOperation() override {
    LoweringOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.libdevice = libdevice;
    if (llvm::Error error = checkTarget(options)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    OwningOpRef<ModuleOp> clone(getOperation().clone());
    FailureOr<PlannedKernels> planned = planKernels(*clone);
    if (failed(planned) || failed(lowerKernels(*planned->holder, Backend::Ptx,
                                               planned->indexBitwidth)))
      return signalPassFailure();
    FailureOr<std::string> ptx = emitPtx(kernelsOf(*planned->holder), options);
    if (failed(ptx))
      return signalPassFailure();
    llvm::outs() << *ptx;
  }
};
} // namespace
