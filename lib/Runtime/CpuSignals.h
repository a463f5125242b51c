// Signals while kernels run on the CPU device: an illegal access, a division by
// zero or the end of the time limit ends the kernel, not the process.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUSIGNALS_H
#define KERNELSKILL_LIB_RUNTIME_CPUSIGNALS_H

#include "CpuBlock.h"

namespace kernelskill {

/// Takes the signals over for this thread and `block` until it is destroyed,
/// and ends the running kernel after `seconds`. Others' handlers come back
/// afterwards, and get what does not come from a kernel. One at a time in the
/// process.
class CpuSignals {
public:
  CpuSignals(CpuBlock &block, double seconds);
  ~CpuSignals();
  CpuSignals(const CpuSignals &) = delete;

private:
  static constexpr int count = 6;
  struct sigaction previous[count];
  stack_t previousStack;
  std::unique_ptr<uint8_t[]> handlerStack;
  timer_t timer = {};
  bool hasTimer = false;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUSIGNALS_H
