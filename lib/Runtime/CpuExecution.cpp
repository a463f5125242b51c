// The loop over blocks; see the header.
#include "CpuExecution.h"

#include <numeric>

using namespace llvm;
using namespace kernelskill;

CpuExecution::CpuExecution(const CpuMemory &memory)
    : memory(memory), block(std::make_unique<CpuBlock>()),
      threads(new CpuThread[maxBlockThreads]()) {
  block->firstSlot = memory.firstSlot();
  block->slotCount = memory.extents().size();
  block->extents = memory.extents().data();
  block->sharedBase = reinterpret_cast<uint64_t>(memory.shared());
  block->threads = threads.get();
  block->stacks = &stacks;
  kept.resize(block->slotCount);
  shadows.resize(block->slotCount);
  block->shadows = shadows.data();
  block->sharedShadow.map(CpuMemory::sharedArenaBytes);
}

CpuExecution::~CpuExecution() {
  for (RaceShadow &shadow : kept)
    shadow.unmap();
  block->sharedShadow.unmap();
}

void CpuExecution::watch(DeviceAddress buffer) {
  uint64_t slot = (buffer >> CpuMemory::slotBits) - block->firstSlot;
  const CpuMemory::Extent &extent = block->extents[slot];
  if (kept[slot].bytes != extent.bytes) {
    keptBytes -= kept[slot].bytes;
    kept[slot].unmap();
    // Cells take six times the memory; a quarter of the machine may go there.
    constexpr uint64_t cellsPerWord = sizeof(RaceCell) / 4;
    if ((keptBytes + extent.bytes) * cellsPerWord > machineMemoryBytes() / 4)
      return;
    kept[slot].map(extent.bytes);
    keptBytes += kept[slot].bytes;
  }
  shadows[slot] = kept[slot];
}

void CpuExecution::unwatchAll() {
  for (size_t slot = 0; slot < shadows.size(); ++slot) {
    if (shadows[slot].cells)
      kept[slot].shift = shadows[slot].shift;
    shadows[slot] = RaceShadow();
  }
}

void CpuExecution::forget(DeviceAddress buffer) {
  uint64_t slot = (buffer >> CpuMemory::slotBits) - block->firstSlot;
  if (slot >= kept.size() || block->extents[slot].begin != buffer)
    return;
  keptBytes -= kept[slot].bytes;
  kept[slot].unmap();
}

uint64_t CpuExecution::blockOfEpoch(uint32_t epoch) const {
  auto next = upper_bound(blockEpochs, std::make_pair(epoch, UINT64_MAX));
  return next == blockEpochs.begin() ? 0 : std::prev(next)->second;
}

/// Before they run out (after days), all epochs are forgotten.
void CpuExecution::startEpochs() {
  RaceEpochs &epochs = block->epochs;
  if (epochs.now > UINT32_MAX / 2) {
    for (RaceShadow &shadow : kept)
      shadow.clear();
    block->sharedShadow.clear();
    for (WarpClocks &clocks : epochs.warps)
      clocks.epoch = 0;
    epochs.now = 1;
  }
  epochs.launch = ++epochs.now;
  blockEpochs.clear();
  block->sharedShadow.shift = 2;
}

/// A fiber that runs one thread of each block.
static void runThread(void *argument) {
  auto &thread = *static_cast<CpuThread *>(argument);
  CpuBlock &block = blockOf(&thread);
  fiberStarted(block.scheduler);
  while (true) {
    block.active = 1;
    block.kernel(&thread, block.arguments);
    finishThread(block, thread);
  }
}

/// A fiber that runs all threads of each block one after the other.
static void runAllThreads(void *argument) {
  auto &thread = *static_cast<CpuThread *>(argument);
  CpuBlock &block = blockOf(&thread);
  fiberStarted(block.scheduler);
  while (true) {
    block.active = 1;
    thread.stamp = stampOf(block, 0);
    for (thread.threadId[2] = 0; thread.threadId[2] < thread.blockDim[2];
         ++thread.threadId[2])
      for (thread.threadId[1] = 0; thread.threadId[1] < thread.blockDim[1];
           ++thread.threadId[1])
        for (thread.threadId[0] = 0; thread.threadId[0] < thread.blockDim[0];
             ++thread.threadId[0]) {
          block.kernel(&thread, block.arguments);
          thread.stamp += RaceStamp(1) << raceThreadShift;
        }
    block.active = 0;
    switchFiber(thread.fiber, block.scheduler);
  }
}

void CpuExecution::startBlock(const CpuLaunch &launch, uint64_t linear) {
  uint32_t x = linear % launch.grid[0];
  uint32_t y = linear / launch.grid[0] % launch.grid[1];
  uint32_t z = linear / launch.grid[0] / launch.grid[1];
  uint32_t contexts = launch.blocking ? block->threadCount : 1;
  block->epochs.block = ++block->epochs.now;
  blockEpochs.push_back({block->epochs.now, linear});
  for (uint32_t index = 0; index < contexts; ++index) {
    CpuThread &thread = threads[index];
    thread.blockId[0] = x;
    thread.blockId[1] = y;
    thread.blockId[2] = z;
    thread.wait = CpuWait::None;
    thread.stamp = raceStamp(block->epochs.now, index, 0);
  }
  block->current = threads.get();
  if (!launch.blocking)
    return;
  block->ready = block->queues[0];
  block->waiting = block->queues[1];
  std::iota(block->ready, block->ready + block->threadCount, 0);
  block->live = block->threadCount;
  // The first thread is switched to at once.
  block->readyHead = 1 % maxBlockThreads;
  block->readyCount = block->threadCount - 1;
  block->waitingCount = 0;
  for (uint32_t warp = 0; warp * warpSize < block->threadCount; ++warp) {
    uint32_t lanes = std::min(warpSize, block->threadCount - warp * warpSize);
    block->warps[warp] = {uint32_t((uint64_t(1) << lanes) - 1), 0, 0};
  }
}

Error CpuExecution::launch(const CpuLaunch &launch) {
  block->threadCount = launch.block[0] * launch.block[1] * launch.block[2];
  uint32_t contexts = launch.blocking ? block->threadCount : 1;
  if (Error error = stacks.ensure(contexts))
    return error;
  // Global memory may stay unwatched, but here the cells also say what is
  // written.
  if (!block->sharedShadow.cells)
    return createStringError("no address space for the checks of shared memory "
                             "(ulimit -v?)");
  block->sharedBytes = launch.sharedBytes;
  startEpochs();
  // NaNs, so that what the checks do not see (they may be off) still shows.
  memset(memory.shared(), 0xff, launch.sharedBytes);
  block->kernel = launch.kernel;
  block->arguments = launch.arguments;
  block->plain = !launch.blocking;
  block->fault = CpuFault();
  for (uint32_t index = 0; index < contexts; ++index) {
    CpuThread &thread = threads[index];
    thread.threadId[0] = index % launch.block[0];
    thread.threadId[1] = index / launch.block[0] % launch.block[1];
    thread.threadId[2] = index / launch.block[0] / launch.block[1];
    for (unsigned axis = 0; axis < 3; ++axis) {
      thread.blockDim[axis] = launch.block[axis];
      thread.gridDim[axis] = launch.grid[axis];
    }
    thread.shared = memory.shared();
    thread.block = block.get();
    thread.index = index;
    initializeFiber(thread.fiber, stacks.stack(index),
                    launch.blocking ? runThread : runAllThreads, &thread);
  }
  uint64_t blocks = uint64_t(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  uint64_t runs = sampledBlocks == 0 ? blocks : std::min(blocks, sampledBlocks);
  for (uint64_t run = 0; run < runs; ++run) {
    // Whole numbers would overflow for huge grids; exact enough in 128 bits.
    uint64_t linear =
        runs == blocks ? run
        : runs == 1
            ? 0
            : uint64_t((unsigned __int128)(run) * (blocks - 1) / (runs - 1));
    startBlock(launch, linear);
    if (block->expired) {
      block->fault.kind = FaultKind::Timeout;
      block->fault.what = CpuFault::What::TimeLimit;
      for (unsigned axis = 0; axis < 3; ++axis)
        block->fault.blockId[axis] = threads[0].blockId[axis];
    } else {
      switchFiber(block->scheduler, threads[0].fiber);
    }
    if (block->fault.kind != FaultKind::None)
      break;
  }
  return Error::success();
}
