// A device: memory, loaded programs, launches, times and counters. Two kinds:
// the CPU (cpu) and a CUDA GPU (cuda:N) through the driver loaded by dlopen.
//
// A Device belongs to one thread of one process. After a fault (an illegal
// address, a hang that was cut) a CUDA device is poisoned: every call returns
// an error, and the process that holds it is thrown away (see Driver's worker).
#ifndef KERNELSKILL_RUNTIME_DEVICE_H
#define KERNELSKILL_RUNTIME_DEVICE_H

#include "KernelSkill/Runtime/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace kernelskill {

using DeviceAddress = uint64_t;

/// What is known of a device. Zero where it does not apply.
struct DeviceProperties {
  std::string name; // "NVIDIA H200", "CPU device"
  std::string kind; // "cpu" or "cuda"
  std::string chip; // "sm_90"; for the CPU the chip is the caller's choice
  std::string driverVersion; // "13.0"
  uint64_t memoryBytes = 0, freeBytes = 0, l2Bytes = 0;
  uint32_t multiprocessors = 0, clockKHz = 0, memoryClockKHz = 0;
};

/// Why a kernel failed on the device, with the place where it is known.
enum class FaultKind : uint8_t {
  None,
  OutOfBounds,
  UnwrittenRead,
  Race,
  Deadlock,
  IllegalAccess,
  Timeout,
  Trap,
  OutOfMemory,
  Other
};
llvm::StringRef faultName(FaultKind kind);

/// An llvm::Error that carries the fault's kind.
class DeviceFault : public llvm::ErrorInfo<DeviceFault> {
public:
  static char ID;
  DeviceFault(FaultKind kind, std::string message)
      : kind(kind), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  FaultKind kind;
  std::string message;
};

/// A program whose images are on the device and whose temporaries and constants
/// are allocated (lazily, at the first run).
class LoadedProgram {
public:
  virtual ~LoadedProgram() = default;
  virtual const Program &program() const = 0;
  /// Runs all steps once and waits. `arguments` and `results` in the program's
  /// order. Temporaries are poisoned with NaN bit patterns before the first
  /// run.
  virtual llvm::Error run(llvm::ArrayRef<DeviceAddress> arguments,
                          llvm::ArrayRef<DeviceAddress> results) = 0;
  /// How the last run was put onto a GPU: "replayed as a CUDA graph", or
  /// "launched one by one: <why>"; "" on the CPU device and before a run.
  virtual std::string launches() const { return ""; }
};

/// Times of a program, milliseconds.
struct TimeSample {
  std::vector<double> milliseconds;
};

class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceProperties &properties() const = 0;

  /// 256-byte aligned memory with guard zones on both sides, filled with a
  /// pattern and checked by checkGuards. Contents are undefined.
  virtual llvm::Expected<DeviceAddress> allocate(uint64_t bytes) = 0;
  virtual void release(DeviceAddress address) = 0;
  /// An error if something wrote outside of any live allocation's bounds into
  /// its guard zones.
  virtual llvm::Error checkGuards() = 0;
  virtual llvm::Error copyToDevice(DeviceAddress to, const void *from,
                                   uint64_t bytes) = 0;
  virtual llvm::Error copyFromDevice(void *to, DeviceAddress from,
                                     uint64_t bytes) = 0;
  virtual llvm::Error copy(DeviceAddress to, DeviceAddress from,
                           uint64_t bytes) = 0;
  /// Fills with a repeated byte.
  virtual llvm::Error fill(DeviceAddress to, uint8_t byte, uint64_t bytes) = 0;

  /// Loads the image that fits this device. `checked` asks the CPU device for
  /// its checks of every access (out of bounds, unwritten shared memory);
  /// barriers and deadlocks are always checked.
  virtual llvm::Expected<std::unique_ptr<LoadedProgram>>
  load(const Program &program) = 0;

  /// Seconds after which a run counts as hung (DeviceFault Timeout).
  virtual void setTimeLimit(double seconds) = 0;
  /// Lets the CPU device run only `count` blocks of each launch (0: all): block
  /// i * (blocks - 1) / (count - 1) in linear order, so first and last are
  /// among them. What the others would have written is not. No effect on a GPU.
  virtual void setSampledBlocks(uint64_t count) {}

  /// Times `rounds` runs of each program, interleaved a, b, a, b, …, with the
  /// L2 cache flushed before each run; one untimed run first. Real times from
  /// device events; an error on the CPU device, which measures nothing. Stops
  /// early when `budgetSeconds` is spent (at least 3 rounds).
  struct TimedRun {
    LoadedProgram *program;
    llvm::ArrayRef<DeviceAddress> arguments, results;
  };
  virtual llvm::Expected<std::vector<TimeSample>>
  time(llvm::ArrayRef<TimedRun> runs, unsigned rounds,
       double budgetSeconds) = 0;
  /// Bytes a second (read plus written) of a device-to-device copy of this
  /// size.
  virtual llvm::Expected<double> copyBandwidth(uint64_t bytes) = 0;
  /// Hardware counters of each launch of the program, by Nsight Compute's
  /// names; an error that says why (no CUPTI, no permission) where they can't
  /// be had.
  virtual llvm::Expected<std::vector<std::map<std::string, double>>>
  counters(const TimedRun &run, llvm::ArrayRef<std::string> metrics) = 0;
};

/// Opens "cpu" or "cuda:N". The CPU device never fails; a CUDA device fails
/// with what is missing and what to do.
llvm::Expected<std::unique_ptr<Device>> openDevice(llvm::StringRef name);
/// How many CUDA devices the driver sees; an error says why none can be asked.
llvm::Expected<unsigned> countCudaDevices();

/// Median and a 95 % bootstrap interval of it (deterministic resampling).
struct Interval {
  double median = 0, low = 0, high = 0;
};
Interval medianInterval(llvm::ArrayRef<double> values);
/// Interval of the median of the pairwise ratios a[i] / b[i].
Interval ratioInterval(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b);

} // namespace kernelskill

#endif // KERNELSKILL_RUNTIME_DEVICE_H
