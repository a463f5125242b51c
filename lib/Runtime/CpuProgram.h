// A program on the CPU device.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUPROGRAM_H
#define KERNELSKILL_LIB_RUNTIME_CPUPROGRAM_H

#include "CpuDevice.h"
#include "CpuImage.h"

namespace kernelskill {

class CpuProgram final : public LoadedProgram {
public:
  CpuProgram(CpuDevice &device, Program program,
             std::unique_ptr<CpuImage> image)
      : device(device), loaded(std::move(program)), image(std::move(image)) {}
  ~CpuProgram() override;
  const Program &program() const override { return loaded; }
  llvm::Error run(llvm::ArrayRef<DeviceAddress> arguments,
                  llvm::ArrayRef<DeviceAddress> results) override;

private:
  llvm::Error bind(llvm::ArrayRef<DeviceAddress> given, BufferKind kind);
  llvm::Error allocateOwned();
  llvm::Error runSteps();
  llvm::Error runLaunch(const StepRecord &step);
  llvm::Error runCopy(const StepRecord &step);
  uint64_t resolve(const LaunchArgument &argument) const;
  llvm::Error describeFault(const StepRecord &step) const;
  std::string raceText(const StepRecord &step) const;

  CpuDevice &device;
  Program loaded;
  std::unique_ptr<CpuImage> image;
  std::vector<DeviceAddress> addresses; // of the program's buffers
  std::vector<DeviceAddress> owned;     // temporaries and constants
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUPROGRAM_H
