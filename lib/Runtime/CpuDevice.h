// The CPU device: runs the same kernels as a GPU, checks what they do, and
// measures nothing.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUDEVICE_H
#define KERNELSKILL_LIB_RUNTIME_CPUDEVICE_H

#include "CpuExecution.h"
#include "CpuMemory.h"

namespace kernelskill {

class CpuDevice final : public Device {
public:
  static llvm::Expected<std::unique_ptr<Device>> open();

  const DeviceProperties &properties() const override {
    return deviceProperties;
  }
  llvm::Expected<DeviceAddress> allocate(uint64_t bytes) override {
    return memory.allocate(bytes);
  }
  void release(DeviceAddress address) override {
    execution->forget(address);
    memory.release(address);
  }
  llvm::Error checkGuards() override { return memory.checkGuards(); }
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
  void setSampledBlocks(uint64_t count) override {
    execution->sampledBlocks = count;
  }
  llvm::Expected<std::vector<TimeSample>> time(llvm::ArrayRef<TimedRun> runs,
                                               unsigned rounds,
                                               double budgetSeconds) override;
  llvm::Expected<double> copyBandwidth(uint64_t bytes) override;
  llvm::Expected<std::vector<std::map<std::string, double>>>
  counters(const TimedRun &run, llvm::ArrayRef<std::string> metrics) override;

  CpuMemory memory;
  std::unique_ptr<CpuExecution> execution;
  double timeLimit = 30;

private:
  CpuDevice() = default;
  DeviceProperties deviceProperties;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUDEVICE_H
