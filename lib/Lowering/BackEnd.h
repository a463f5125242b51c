// From the LLVM dialect to PTX, to a cubin and to an x86-64 object.
#ifndef KERNELSKILL_LIB_LOWERING_BACKEND_H
#define KERNELSKILL_LIB_LOWERING_BACKEND_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Target/TargetMachine.h"
#include <map>
#include <memory>
#include <string>

namespace kernelskill {
struct LoweringOptions;

/// Translates lowered kernels; errors of LLVM that come up while `context`
/// lives become diagnostics at the module's location.
std::unique_ptr<llvm::Module> translateKernels(mlir::gpu::GPUModuleOp kernels,
                                               llvm::LLVMContext &context);

/// Runs LLVM's optimization pipeline and the code generator.
mlir::FailureOr<std::string> generateCode(llvm::Module &module,
                                          llvm::TargetMachine &machine,
                                          llvm::OptimizationLevel level,
                                          llvm::CodeGenFileType type,
                                          mlir::Location location);

/// Runs LLVM code that may end the process ("Cannot select"). False: it tried,
/// and `reason` is what it said.
bool runGuarded(llvm::function_ref<void()> code, std::string &reason);

/// PTX of kernels lowered for Backend::Ptx. The same kernels and options give
/// the same bytes anywhere.
mlir::FailureOr<std::string> emitPtx(mlir::gpu::GPUModuleOp kernels,
                                     const LoweringOptions &options);

/// What ptxas says of a kernel.
struct AssembledKernel {
  unsigned registers = 0, spillBytes = 0, staticShared = 0;
};
struct AssembledModule {
  std::string cubin;
  std::map<std::string, AssembledKernel> kernels;
};
/// Runs ptxas in a child process. Errors carry its first message.
llvm::Expected<AssembledModule> assemble(llvm::StringRef ptx,
                                         const LoweringOptions &options);

/// The relocatable x86-64 object of kernels that lowerToCpu has rewritten.
mlir::FailureOr<std::string> emitCpuObject(mlir::gpu::GPUModuleOp kernels);
inline constexpr llvm::StringLiteral kCpuTriple = "x86_64-unknown-linux-gnu";

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_BACKEND_H
