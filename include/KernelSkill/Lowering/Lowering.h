// From the kernel stage (a host function on memrefs and gpu.modules) to a
// program: plan, PTX, cubin, CPU object.
#ifndef KERNELSKILL_LOWERING_LOWERING_H
#define KERNELSKILL_LOWERING_LOWERING_H

#include "KernelSkill/Runtime/Program.h"
#include "mlir/IR/BuiltinOps.h"

namespace kernelskill {

struct LoweringOptions {
  std::string chip = "sm_90a";
  /// PTX version as LLVM's feature ("+ptx80"); empty: the chip's least.
  std::string ptxVersion;
  bool ptx = true, cubin = true, cpu = true;
  /// Ask for a check of every access in the CPU image.
  bool cpuChecks = true;
  /// Path of ptxas and of libdevice; empty: found on the machine.
  std::string ptxas, libdevice;
  /// Seconds that ptxas may take.
  double ptxasSeconds = 60;
  /// For thousands of kernels: ptxas uses all processors, so that the cubin
  /// differs from run to run, and does not report registers and spills, which
  /// takes it longer than all else.
  bool manyKernels = false;
};

/// Lowers the module, which is consumed. The host function is the one public
/// func.func; a module of gpu.funcs without one gets a plan of one launch for
/// its single kernel (grid and block from its known_grid_size and
/// known_block_size). Errors have been emitted as diagnostics when this fails.
mlir::FailureOr<Program> lowerToProgram(mlir::ModuleOp module,
                                        const LoweringOptions &options);

/// Checks chip and PTX version against the chip table.
llvm::Error checkTarget(const LoweringOptions &options);

/// Where ptxas and libdevice are, or what was tried and what to do.
llvm::Expected<std::string> findPtxas();
llvm::Expected<std::string> findLibdevice();

} // namespace kernelskill

#endif // KERNELSKILL_LOWERING_LOWERING_H
