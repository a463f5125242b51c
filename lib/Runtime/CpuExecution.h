// Runs the launches of a program on the CPU: block after block, the threads of
// a block as fibers, or in a plain loop if they never wait.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUEXECUTION_H
#define KERNELSKILL_LIB_RUNTIME_CPUEXECUTION_H

#include "CpuBlock.h"

namespace kernelskill {

struct CpuLaunch {
  CpuKernel kernel;
  std::array<uint32_t, 3> grid, block;
  uint32_t sharedBytes;
  bool blocking;
  void **arguments;
};

class CpuExecution {
public:
  explicit CpuExecution(const CpuMemory &memory);
  ~CpuExecution();

  /// How many blocks of each launch run, spread evenly over the grid, first and
  /// last among them; 0: all.
  uint64_t sampledBlocks = 0;

  /// Runs one launch. A fault lies in state().fault; the error is about memory.
  /// To be called under CpuSignals on state().
  llvm::Error launch(const CpuLaunch &launch);
  CpuBlock &state() { return *block; }

  /// Watches a buffer that lies at the start of a slot for races, and watches
  /// none. Large ones stay unwatched, see docs/cpu-device.md.
  void watch(DeviceAddress buffer);
  void unwatchAll();
  /// The buffer is released.
  void forget(DeviceAddress buffer);
  /// The block that ran in this epoch of the last launch, in linear order.
  uint64_t blockOfEpoch(uint32_t epoch) const;

private:
  void startBlock(const CpuLaunch &launch, uint64_t linear);
  void startEpochs();

  const CpuMemory &memory;
  FiberStacks stacks;
  std::unique_ptr<CpuBlock> block;
  std::unique_ptr<CpuThread[]> threads;
  /// By slot, kept from run to run; `shadows` are those that are watched.
  std::vector<RaceShadow> kept, shadows;
  uint64_t keptBytes = 0;
  /// Of each block that was run, its first epoch and linear number.
  std::vector<std::pair<uint32_t, uint64_t>> blockEpochs;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUEXECUTION_H
