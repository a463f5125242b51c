// The CUDA device: memory, modules, launches and event times on one GPU.
#ifndef KERNELSKILL_LIB_RUNTIME_CUDADEVICE_H
#define KERNELSKILL_LIB_RUNTIME_CUDADEVICE_H

#include "CudaDriver.h"
#include "KernelSkill/Runtime/Device.h"

#include <map>

namespace kernelskill {

class CudaDevice final : public Device {
public:
  CudaDevice(const CudaDriver &driver) : driver(driver) {}
  ~CudaDevice() override;
  llvm::Error open(unsigned index);

  const DeviceProperties &properties() const override {
    return deviceProperties;
  }
  llvm::Expected<DeviceAddress> allocate(uint64_t bytes) override;
  void release(DeviceAddress address) override;
  llvm::Error checkGuards() override;
  llvm::Error copyToDevice(DeviceAddress to, const void *from,
                           uint64_t bytes) override;
  llvm::Error copyFromDevice(void *to, DeviceAddress from,
                             uint64_t bytes) override;
  llvm::Error copy(DeviceAddress to, DeviceAddress from,
                   uint64_t bytes) override;
  llvm::Error fill(DeviceAddress to, uint8_t byte, uint64_t bytes) override;
  llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(const Program &program) override;
  void setTimeLimit(double seconds) override { timeLimit = seconds; }
  llvm::Expected<std::vector<TimeSample>> time(llvm::ArrayRef<TimedRun> runs,
                                               unsigned rounds,
                                               double budgetSeconds) override;
  llvm::Expected<double> copyBandwidth(uint64_t bytes) override;
  llvm::Expected<std::vector<std::map<std::string, double>>>
  counters(const TimedRun &run, llvm::ArrayRef<std::string> metrics) override;

  /// Waits for the stream, at most the time limit; a hang poisons the device.
  llvm::Error wait(const llvm::Twine &what);
  /// Milliseconds of one call of `body` on the stream, by events.
  llvm::Expected<double> timeOnce(llvm::function_ref<llvm::Error()> body,
                                  const llvm::Twine &what);

  /// After a hang or a fault no call of the driver returns anything useful.
  bool isPoisoned() const { return poisoned; }

  const CudaDriver &driver;
  CUcontext context = nullptr;
  CUstream stream = nullptr;
  CUdevice device = 0;

private:
  llvm::Error flushL2();
  llvm::Error alive() const;

  DeviceProperties deviceProperties;
  std::map<DeviceAddress, uint64_t>
      allocations; // address to bytes, guards apart
  DeviceAddress flushBuffer = 0;
  uint64_t flushBytes = 0;
  CUevent begin = nullptr, end = nullptr;
  double timeLimit = 30;
  bool poisoned = false;
};

/// Opens GPU number `index`, or says what is missing.
llvm::Expected<std::unique_ptr<Device>> openCudaDevice(unsigned index);

/// Hardware counters by CUPTI's range profiler: one map a launch of `body`,
/// which runs once for each pass that the metrics need, after `prepare`.
llvm::Expected<std::vector<std::map<std::string, double>>>
collectCounters(CudaDevice &device, llvm::ArrayRef<std::string> metrics,
                unsigned launches, llvm::function_ref<llvm::Error()> prepare,
                llvm::function_ref<llvm::Error()> body);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CUDADEVICE_H
