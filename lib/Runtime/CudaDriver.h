// The CUDA driver, opened by dlopen: one typed pointer a symbol, so that the
// tools start (and say what is missing) on machines without a driver.
#ifndef KERNELSKILL_LIB_RUNTIME_CUDADRIVER_H
#define KERNELSKILL_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cuda.h>

// Each symbol by its exported name and the type of its declaration in cuda.h.
#define KERNELSKILL_CUDA_SYMBOLS(X)                                            \
  X(cuGetErrorName)                                                            \
  X(cuGetErrorString)                                                          \
  X(cuInit)                                                                    \
  X(cuDriverGetVersion)                                                        \
  X(cuDeviceGetCount)                                                          \
  X(cuDeviceGet)                                                               \
  X(cuDeviceGetName)                                                           \
  X(cuDeviceGetAttribute)                                                      \
  X(cuDeviceTotalMem_v2)                                                       \
  X(cuDevicePrimaryCtxRetain)                                                  \
  X(cuDevicePrimaryCtxRelease_v2)                                              \
  X(cuCtxSetCurrent)                                                           \
  X(cuCtxSynchronize)                                                          \
  X(cuMemGetInfo_v2)                                                           \
  X(cuMemAlloc_v2)                                                             \
  X(cuMemFree_v2)                                                              \
  X(cuMemcpyHtoD_v2)                                                           \
  X(cuMemcpyDtoH_v2)                                                           \
  X(cuMemcpyDtoDAsync_v2)                                                      \
  X(cuMemsetD8Async)                                                           \
  X(cuModuleLoadDataEx)                                                        \
  X(cuModuleUnload)                                                            \
  X(cuModuleGetFunction)                                                       \
  X(cuFuncSetAttribute)                                                        \
  X(cuLaunchKernel)                                                            \
  X(cuStreamCreate)                                                            \
  X(cuStreamDestroy_v2)                                                        \
  X(cuStreamQuery)                                                             \
  X(cuStreamSynchronize)                                                       \
  X(cuEventCreate)                                                             \
  X(cuEventDestroy_v2)                                                         \
  X(cuEventRecord)                                                             \
  X(cuEventElapsedTime_v2)                                                     \
  X(cuEventSynchronize)                                                        \
  X(cuStreamBeginCapture_v2)                                                   \
  X(cuStreamEndCapture)                                                        \
  X(cuStreamIsCapturing)                                                       \
  X(cuGraphInstantiateWithFlags)                                               \
  X(cuGraphUpload)                                                             \
  X(cuGraphLaunch)                                                             \
  X(cuGraphDestroy)                                                            \
  X(cuGraphExecDestroy)

namespace kernelskill {

struct CudaDriver {
#define KERNELSKILL_DECLARE(name) decltype(&::name) name = nullptr;
  KERNELSKILL_CUDA_SYMBOLS(KERNELSKILL_DECLARE)
#undef KERNELSKILL_DECLARE

  /// Success, or an error "<what>: CUDA_ERROR_…: <text>"; faults of a kernel
  /// (an illegal address, …) become a DeviceFault.
  llvm::Error check(CUresult result, const llvm::Twine &what) const;
};

/// The driver, loaded and initialized once; an error says what is missing.
llvm::Expected<const CudaDriver *> cudaDriver();

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CUDADRIVER_H
