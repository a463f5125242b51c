// Opens libcuda and resolves its symbols; see the header.
#include "CudaDriver.h"

#include "KernelSkill/Runtime/Device.h"

#include <dlfcn.h>
#include <mutex>

using namespace kernelskill;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error unavailable(const Twine &what, const Twine &advice) {
  return llvm::createStringError("no CUDA device: " + what + "; " + advice);
}

static Error load(CudaDriver &driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unavailable("the driver library libcuda.so.1 is not found",
                       "install NVIDIA's driver, or use --device cpu");
#define KERNELSKILL_RESOLVE(name)                                              \
  driver.name =                                                                \
      reinterpret_cast<decltype(driver.name)>(dlsym(library, #name));          \
  if (!driver.name)                                                            \
    return unavailable("the driver has no " #name,                             \
                       "update NVIDIA's driver to 580 or later");
  KERNELSKILL_CUDA_SYMBOLS(KERNELSKILL_RESOLVE)
#undef KERNELSKILL_RESOLVE
  if (CUresult result = driver.cuInit(0)) {
    const char *name = nullptr;
    driver.cuGetErrorName(result, &name);
    return unavailable(Twine("cuInit failed with ") + (name ? name : "?"),
                       "check the driver with nvidia-smi");
  }
  return Error::success();
}

Expected<const CudaDriver *> kernelskill::cudaDriver() {
  static CudaDriver driver;
  static std::string failure;
  static std::once_flag once;
  std::call_once(once, [] {
    if (Error error = load(driver))
      failure = llvm::toString(std::move(error));
  });
  if (!failure.empty())
    return llvm::createStringError(failure);
  return &driver;
}

Error CudaDriver::check(CUresult result, const Twine &what) const {
  if (result == CUDA_SUCCESS)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  std::string message = (what + ": " + (name ? name : "unknown CUDA error") +
                         ": " + (text ? text : ""))
                            .str();
  FaultKind kind = FaultKind::Other;
  switch (result) {
  case CUDA_ERROR_OUT_OF_MEMORY:
    kind = FaultKind::OutOfMemory;
    break;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
    kind = FaultKind::IllegalAccess;
    break;
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_LAUNCH_FAILED:
    kind = FaultKind::Trap;
    break;
  case CUDA_ERROR_LAUNCH_TIMEOUT:
    kind = FaultKind::Timeout;
    break;
  default:
    break;
  }
  return llvm::make_error<DeviceFault>(kind, std::move(message));
}
