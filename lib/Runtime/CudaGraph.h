// The steps of a program with one set of buffers, recorded as a CUDA graph.
#ifndef KERNELSKILL_LIB_RUNTIME_CUDAGRAPH_H
#define KERNELSKILL_LIB_RUNTIME_CUDAGRAPH_H

#include "CudaDevice.h"

namespace kernelskill {

/// Whether work that is put onto `stream` is recorded by its owner instead of
/// run. So it counts, too, if the stream can't be asked: then another stream
/// is being captured in a way that this one must not disturb.
bool isCapturing(const CudaDriver &driver, CUstream stream);

class CudaGraph {
public:
  /// Records what `enqueue` puts onto the device's stream. The stream is left
  /// as it was also when `enqueue` fails.
  static llvm::Expected<std::unique_ptr<CudaGraph>>
  record(CudaDevice &device, llvm::function_ref<llvm::Error()> enqueue);
  /// Waits for the last launch.
  ~CudaGraph();
  llvm::Error launch(CUstream stream);

private:
  explicit CudaGraph(CudaDevice &device) : device(device) {}
  CudaDevice &device;
  CUgraphExec graph = nullptr;
  CUevent done = nullptr; // after the last launch
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CUDAGRAPH_H
