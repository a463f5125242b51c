// Lowered kernels to functions that the CPU device runs (Runtime/CpuAbi.h).
#ifndef KERNELSKILL_LIB_LOWERING_CPUKERNELS_H
#define KERNELSKILL_LIB_LOWERING_CPUKERNELS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace kernelskill {

/// Where the shared variables of one kernel lie in its block's shared memory.
struct SharedLayout {
  llvm::StringMap<uint64_t> offsets;
  /// Bytes of the static part; dynamic shared memory begins here, aligned.
  uint64_t staticBytes = 0;
};
SharedLayout layoutShared(mlir::LLVM::LLVMFuncOp kernel);

/// Bytes that a load or store of this type touches.
uint64_t accessBytes(mlir::Type type);

/// What the CPU device must know of a kernel.
struct CpuKernel {
  std::vector<std::string> ops; // the operation of each number
  bool blocking = false;        // a thread may have to wait for others
};
using CpuKernels = llvm::MapVector<mlir::StringAttr, CpuKernel>;

/// Rewrites kernels lowered for Backend::Cpu, in place: thread and arguments
/// from memory, registers from the thread, shared memory from its arena, what
/// hardware does as calls; with `checks` a call before each access. Emits an
/// error at each operation that the CPU device does not know.
mlir::FailureOr<CpuKernels> rewriteForCpu(mlir::gpu::GPUModuleOp kernels,
                                          bool checks);

/// The device's functions, declared where they are first called.
class CpuCalls {
public:
  CpuCalls(mlir::gpu::GPUModuleOp module, mlir::Value thread, CpuKernel &kernel)
      : module(module), thread(thread), kernel(kernel) {}

  /// Calls `name`(thread, operands…, number of `op`) before `op`.
  mlir::Value call(mlir::StringRef name, mlir::Type result,
                   mlir::ValueRange operands, mlir::Operation *op);
  mlir::Value getThread() const { return thread; }

private:
  mlir::gpu::GPUModuleOp module;
  mlir::Value thread;
  CpuKernel &kernel;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

/// Puts calls of the device's checks before the accesses of a kernel.
void insertCpuChecks(mlir::LLVM::LLVMFuncOp kernel, CpuCalls &calls);

/// Replaces an operation of the NVVM dialect. False: not known.
bool replaceNvvmOp(mlir::Operation *op, CpuCalls &calls, CpuKernel &kernel);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_CPUKERNELS_H
