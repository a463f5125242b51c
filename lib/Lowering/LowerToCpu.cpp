// --kernelskill-lower-to-cpu: the kernels as the CPU device runs them.
#include "CpuKernels.h"
#include "KernelLowering.h"
#include "PlannedKernels.h"

#include "KernelSkill/Lowering/Passes.h"

namespace kernelskill {
#define GEN_PASS_DEF_LOWERTOCPU
#include "KernelSkill/Lowering/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

namespace {
struct LowerToCpu : kernelskill::impl::LowerToCpuBase<LowerToCpu> {
  using LowerToCpuBase::LowerToCpuBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<PlannedKernels> planned = planKernels(module);
    if (failed(planned) || failed(lowerKernels(*planned->holder, Backend::Cpu,
                                               planned->indexBitwidth)))
      return signalPassFailure();
    gpu::GPUModuleOp kernels = kernelsOf(*planned->holder);
    FailureOr<CpuKernels> records = rewriteForCpu(kernels, checks);
    if (failed(records))
      return signalPassFailure();
    Builder builder(&getContext());
    for (auto &[name, record] : *records) {
      SmallVector<StringRef> ops(record.ops.begin(), record.ops.end());
      kernels.lookupSymbol(name)->setAttr("kernelskill_ops",
                                          builder.getStrArrayAttr(ops));
    }
    module.getBodyRegion().takeBody(planned->holder->getBodyRegion());
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }
};
} // namespace
