// A program loaded on a CUDA device: module, functions, temporaries.
#ifndef KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H
#define KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H

#include "CudaDevice.h"

namespace kernelskill {

class CudaProgram final : public LoadedProgram {
public:
  CudaProgram(CudaDevice &device, const Program &program)
      : device(device), loaded(program) {}
  ~CudaProgram() override;
  llvm::Error load();

  const Program &program() const override { return loaded; }
  llvm::Error run(llvm::ArrayRef<DeviceAddress> arguments,
                  llvm::ArrayRef<DeviceAddress> results) override;

  /// Allocates temporaries and constants at the first call, checks the counts.
  llvm::Error prepare(llvm::ArrayRef<DeviceAddress> arguments,
                      llvm::ArrayRef<DeviceAddress> results);
  /// Enqueues all steps; prepare has been called with the same buffers.
  llvm::Error enqueue(CUstream stream);

private:
  CudaDevice &device;
  Program loaded;
  CUmodule module = nullptr;
  std::vector<CUfunction> functions;
  std::vector<DeviceAddress> addresses; // by buffer
  std::vector<DeviceAddress> owned;     // temporaries and constants
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H
