// A program loaded on a CUDA device: module, functions, temporaries.
#ifndef KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H
#define KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H

#include "CudaGraph.h"

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
  std::string launches() const override { return how; }

  /// Before `enqueue` on this stream: allocates temporaries and constants at
  /// the first call, checks the counts, records a graph if the buffers are
  /// those of the call before.
  llvm::Error prepare(llvm::ArrayRef<DeviceAddress> arguments,
                      llvm::ArrayRef<DeviceAddress> results, CUstream stream);
  /// Enqueues all steps, as a graph if there is one.
  llvm::Error enqueue(CUstream stream);
  /// Enqueues them one by one.
  llvm::Error enqueueSteps(CUstream stream);

private:
  llvm::Error bind(llvm::ArrayRef<DeviceAddress> arguments,
                   llvm::ArrayRef<DeviceAddress> results, CUstream stream);
  void recordGraph(CUstream stream);

  CudaDevice &device;
  Program loaded;
  CUmodule module = nullptr;
  std::vector<CUfunction> functions;
  std::vector<DeviceAddress> addresses; // by buffer
  std::vector<DeviceAddress> owned;     // temporaries and constants
  std::unique_ptr<CudaGraph> graph;
  std::vector<DeviceAddress> recorded; // the addresses in the graph
  std::vector<DeviceAddress> before;   // the addresses of the call before
  std::string noGraph;                 // why there will never be one
  std::string how;                     // see launches()
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CUDAPROGRAM_H
