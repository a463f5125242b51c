// The state of the block that runs on the CPU device: its threads, warps, what
// may be accessed, and the fault that ended it.
//
// The threads of a block are fibers that take turns; a thread runs until it
// waits at a barrier or a warp operation, or ends. Code that runs on a fiber
// neither allocates nor locks, so that the time limit can cut it anywhere.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUBLOCK_H
#define KERNELSKILL_LIB_RUNTIME_CPUBLOCK_H

#include "CpuMemory.h"
#include "CpuRaces.h"
#include "Fibers.h"
#include "KernelSkill/Runtime/CpuAbi.h"

#include <csignal>

namespace kernelskill {

using CpuKernel = void (*)(KsThread *, void **);

constexpr unsigned warpSize = 32;
constexpr unsigned maxBlockThreads = 1024;

/// What a thread waits for.
enum class CpuWait : uint8_t { None, Barrier, SyncWarp, Shuffle, Vote, Exited };

/// What code and device know of a thread. The first part is generated code's.
struct alignas(64) CpuThread : KsThread {
  uint32_t index; // linear in the block
  CpuWait wait;
  uint32_t op;     // of the wait
  RaceStamp stamp; // of its accesses, without the operation
  // A warp operation: what this lane brings, and what it gets.
  uint32_t mask, value, lane, clamp, mode;
  uint32_t result;
  uint8_t valid;
  FiberContext fiber;
};

struct CpuWarp {
  uint32_t present, waiting, exited; // lanes as masks; waiting at a warp op
};

/// Why a kernel was ended, with what the message needs.
struct CpuFault {
  FaultKind kind = FaultKind::None;
  enum class What : uint8_t {
    Load,
    Store,
    Atomic,
    UnwrittenRead,
    Race, // between `past` and `mine`
    Trap,
    TimeLimit,
    Signal, // address: the signal's, bytes: its number
    StackOverflow,
    Deadlock,         // nobody can go on
    DivergentBarrier, // op2: the barrier of the others
    ExitedLane,       // bytes: the lane
    AbsentLane,       // a mask without the caller
    NotBlocking,      // a wait in a kernel that was said to have none
  } what = What::Trap;
  uint32_t threadId[3] = {}, blockId[3] = {};
  bool hasOp = false;
  uint32_t op = 0, op2 = 0, bytes = 0;
  uint64_t address = 0;
  RaceStamp past = 0, mine = 0;
  bool pastWrites = false, mineWrites = false;
};

struct CpuBlock {
  // What the checks of every access read.
  uint64_t firstSlot, slotCount;
  const CpuMemory::Extent *extents;
  uint64_t sharedBase;
  uint32_t sharedBytes; // of this launch, static and dynamic
  // Who accessed what: of global memory by slot, of shared memory.
  RaceShadow *shadows, sharedShadow;
  RaceEpochs epochs;

  // Threads that can run (a ring), and those that wait at the barrier.
  uint16_t *ready, *waiting;
  uint32_t readyHead, readyCount, waitingCount;
  uint32_t live, threadCount;
  uint32_t barrierOp;
  bool plain; // no waits: one fiber runs all threads one after the other
  CpuThread *current;
  CpuThread *threads;
  CpuWarp warps[maxBlockThreads / warpSize];
  uint16_t queues[2][maxBlockThreads];

  CpuKernel kernel;
  void **arguments;
  FiberContext scheduler;
  FiberStacks *stacks;
  // Set while a fiber runs: only then may a signal end the kernel.
  volatile sig_atomic_t active;
  volatile sig_atomic_t expired;
  CpuFault fault;
};

inline CpuBlock &blockOf(KsThread *thread) {
  return *static_cast<CpuBlock *>(thread->block);
}

/// Ends the kernel: goes back to the scheduler, for good.
[[noreturn]] void raiseFault(CpuThread &thread, FaultKind kind,
                             CpuFault::What what, const uint32_t *op = nullptr,
                             uint64_t address = 0, uint32_t bytes = 0,
                             uint32_t op2 = 0);

/// The stamp of a thread at the block's time.
inline RaceStamp stampOf(const CpuBlock &block, uint32_t thread) {
  const WarpClocks &clocks = block.epochs.warps[thread / warpSize];
  uint32_t lane = thread % warpSize;
  return raceStamp(block.epochs.now, thread,
                   clocks.epoch == block.epochs.now ? clocks.known[lane][lane]
                                                    : 0);
}

/// The thread has come to its end; runs another one or the scheduler.
void finishThread(CpuBlock &block, CpuThread &thread);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUBLOCK_H
