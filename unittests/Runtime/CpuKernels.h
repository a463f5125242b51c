// Kernels for the tests of the CPU device, written as LLVM IR and compiled to
// objects as Lowering does it.
#ifndef KERNELSKILL_UNITTESTS_RUNTIME_CPUKERNELS_H
#define KERNELSKILL_UNITTESTS_RUNTIME_CPUKERNELS_H

#include "KernelSkill/Runtime/Device.h"

namespace kernelskill {

/// Compiles the IR with declarations of CpuAbi.h's functions before it. Types:
/// %thread is KsThread. Fails the test and returns nothing if it is wrong.
std::string compileKernels(llvm::StringRef ir);

/// The body of `void k(thread, args)` with %tid at hand.
std::string kernel(llvm::StringRef body);

/// c[i] = a[i] + b[i] with checks, i not masked.
extern const char *const vectorAdd;

/// 1, 2, 3, …
std::vector<float> counted(size_t size);

/// A program of one launch of the kernel `k` with f32 arguments of these sizes
/// (the last one is a result), and "op 0", "op 1", … as operations.
Program kernelProgram(llvm::StringRef ir, std::vector<int64_t> sizes,
                      std::array<uint32_t, 3> grid,
                      std::array<uint32_t, 3> block, uint32_t shared = 0,
                      bool blocking = true);

/// A loaded program with its buffers on a CPU device.
class KernelRun {
public:
  explicit KernelRun(const Program &program);
  ~KernelRun();
  std::vector<float> read(unsigned buffer);
  void write(unsigned buffer, llvm::ArrayRef<float> values);
  /// The fault's kind and message; None if the run went well.
  FaultKind run();

  std::unique_ptr<Device> device;
  std::unique_ptr<LoadedProgram> loaded;
  std::vector<DeviceAddress> buffers;
  std::string message;
};

} // namespace kernelskill

#endif // KERNELSKILL_UNITTESTS_RUNTIME_CPUKERNELS_H
