// --kernelskill-lower-to-program: writes the program of a kernel stage.
#include "KernelLowering.h"

#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Lowering/Passes.h"

namespace kernelskill {
#define GEN_PASS_DEF_LOWERTOPROGRAM
#include "KernelSkill/Lowering/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

namespace {
struct LowerToProgram : kernelskill::impl::LowerToProgramBase<LowerToProgram> {
  using LowerToProgramBase::LowerToProgramBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLoweringDialects(registry);
  }

  void runOnOperation() override {
    LoweringOptions options;
    options.chip = chip;
    options.ptxVersion = ptxVersion;
    options.ptx = ptx;
    options.cubin = cubin;
    options.cpu = cpu;
    options.cpuChecks = checks;
    options.ptxas = ptxas;
    options.libdevice = libdevice;
    options.ptxasSeconds = ptxasSeconds;
    // The lowering consumes its module; the pass leaves its own as it was.
    OwningOpRef<ModuleOp> clone(getOperation().clone());
    FailureOr<Program> program = lowerToProgram(*clone, options);
    if (failed(program))
      return signalPassFailure();
    if (output.empty())
      return;
    if (llvm::Error error = writeProgram(*program, output)) {
      getOperation().emitError(llvm::toString(std::move(error)));
      signalPassFailure();
    }
  }
};
} // namespace
