// Where the threads of a block wait for each other on the CPU device: the
// barrier, and the operations of a warp.
//
// The last thread to arrive computes what every lane gets and goes on; the
// others become ready. So no lane can overwrite what another has yet to read.
#include "CpuBlock.h"

#include "llvm/Support/Compiler.h"
#include <utility>

using namespace kernelskill;

static inline void makeReady(CpuBlock &block, uint32_t index) {
  uint32_t place = (block.readyHead + block.readyCount++) % maxBlockThreads;
  block.ready[place] = index;
}

static inline CpuThread &takeReady(CpuBlock &block) {
  uint32_t index = block.ready[block.readyHead];
  block.readyHead = (block.readyHead + 1) % maxBlockThreads;
  --block.readyCount;
  block.current = &block.threads[index];
  return *block.current;
}

/// The threads of a block do not fit the first cache, so what the next ones
/// need is fetched while this one runs: a third less time a barrier. Places of
/// the ring that are free name threads, too; fetching those does no harm.
static inline void prefetchReady(const CpuBlock &block) {
#ifndef KERNELSKILL_FIBERS_PORTABLE
  auto thread = [&](uint32_t distance) -> const CpuThread & {
    uint32_t place = (block.readyHead + distance) % maxBlockThreads;
    return block.threads[block.ready[place]];
  };
  auto *stack = static_cast<const char *>(thread(0).fiber.stackPointer);
  __builtin_prefetch(stack, 1);
  __builtin_prefetch(stack + 64, 1);
  __builtin_prefetch(&thread(1).index, 1);
#endif
}

/// Lets another thread run until this one is ready again.
static inline void suspendThread(CpuBlock &block, CpuThread &thread) {
  if (LLVM_UNLIKELY(block.readyCount == 0))
    raiseFault(thread, FaultKind::Deadlock, CpuFault::What::Deadlock,
               &thread.op);
  CpuThread &next = takeReady(block);
  prefetchReady(block);
  switchFiber(thread.fiber, next.fiber);
}

/// All live threads wait at the barrier: they are ready, in that order.
static inline void releaseBarrier(CpuBlock &block) {
  ++block.epochs.now;
  std::swap(block.ready, block.waiting);
  block.readyHead = 0;
  block.readyCount = block.waitingCount;
  block.waitingCount = 0;
}

void kernelskill::finishThread(CpuBlock &block, CpuThread &thread) {
  thread.wait = CpuWait::Exited;
  --block.live;
  unsigned lane = thread.index % warpSize;
  CpuWarp &warp = block.warps[thread.index / warpSize];
  warp.exited |= 1u << lane;
  if (LLVM_UNLIKELY(warp.waiting != 0)) {
    CpuThread *lanes = &thread - lane;
    for (unsigned other = 0; other < warpSize; ++other)
      if ((warp.waiting >> other & 1) && (lanes[other].mask >> lane & 1))
        raiseFault(lanes[other], FaultKind::Deadlock,
                   CpuFault::What::ExitedLane, &lanes[other].op, 0, lane);
  }
  if (block.waitingCount != 0 && block.waitingCount == block.live)
    releaseBarrier(block);
  if (block.readyCount != 0) {
    CpuThread &next = takeReady(block);
    switchFiber(thread.fiber, next.fiber);
    return;
  }
  if (LLVM_UNLIKELY(block.live != 0)) {
    // Any thread that waits may stand for all of them in the message.
    for (uint32_t index = 0; index < block.threadCount; ++index)
      if (block.threads[index].wait != CpuWait::Exited)
        raiseFault(block.threads[index], FaultKind::Deadlock,
                   CpuFault::What::Deadlock, &block.threads[index].op);
  }
  block.active = 0;
  switchFiber(thread.fiber, block.scheduler);
}

extern "C" void ks_cpu_barrier(KsThread *self, uint32_t op) {
  auto &thread = static_cast<CpuThread &>(*self);
  CpuBlock &block = blockOf(self);
  if (LLVM_UNLIKELY(block.plain))
    raiseFault(thread, FaultKind::Other, CpuFault::What::NotBlocking, &op);
  if (block.waitingCount == 0)
    block.barrierOp = op;
  else if (LLVM_UNLIKELY(block.barrierOp != op))
    raiseFault(thread, FaultKind::Deadlock, CpuFault::What::DivergentBarrier,
               &op, 0, 0, block.barrierOp);
  block.waiting[block.waitingCount++] = thread.index;
  if (block.waitingCount == block.live) {
    releaseBarrier(block);
    // This thread came last and goes on at once.
    --block.readyCount;
    thread.stamp = stampOf(block, thread.index);
    return;
  }
  thread.wait = CpuWait::Barrier;
  thread.op = op;
  suspendThread(block, thread);
  thread.wait = CpuWait::None;
  thread.stamp = stampOf(block, thread.index);
}

/// What lane `lane` gets from a shuffle, by the PTX manual.
static inline void shuffleLane(CpuThread *lanes, unsigned lane,
                               uint32_t members) {
  CpuThread &thread = lanes[lane];
  unsigned operand = thread.lane & 31, segment = thread.clamp >> 8 & 31;
  int last = (lane & segment) | (thread.clamp & 31 & ~segment);
  int source = 0;
  bool valid = false;
  switch (thread.mode) {
  case 0:
    source = (lane & segment) | (operand & ~segment);
    valid = source <= last;
    break;
  case 1:
    source = int(lane) - int(operand);
    valid = source >= last;
    break;
  case 2:
    source = lane + operand;
    valid = source <= last;
    break;
  default:
    source = lane ^ operand;
    valid = source <= last;
  }
  if (!valid)
    source = lane;
  thread.valid = valid;
  // The value of a lane that takes no part is undefined: a NaN shows its use.
  thread.result =
      members >> source & 1 ? lanes[source].value : uint32_t(0xffffffff);
}

static inline void voteLanes(CpuThread *lanes, uint32_t members,
                             uint32_t mode) {
  uint32_t ballot = 0;
  for (uint32_t rest = members; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    ballot |= uint32_t(lanes[lane].value != 0) << lane;
  }
  uint32_t result = mode == 0   ? ballot
                    : mode == 1 ? ballot != 0
                    : mode == 2 ? ballot == members
                                : ballot == 0 || ballot == members;
  for (uint32_t rest = members; rest; rest &= rest - 1)
    lanes[__builtin_ctz(rest)].result = result;
}

/// What these lanes did comes before what they do next.
static void syncLanes(CpuBlock &block, CpuThread *lanes, uint32_t warp,
                      uint32_t members) {
  syncClocks(block.epochs.warps[warp], block.epochs.now, members);
  for (uint32_t rest = members; rest; rest &= rest - 1) {
    CpuThread &lane = lanes[__builtin_ctz(rest)];
    lane.stamp = stampOf(block, lane.index);
  }
}

/// Waits until all lanes that `thread.mask` names have come to the same
/// operation, whose operands are in their CpuThread.
static void meetWarp(CpuBlock &block, CpuThread &thread, CpuWait kind,
                     uint32_t mask, uint32_t op) {
  if (LLVM_UNLIKELY(block.plain))
    raiseFault(thread, FaultKind::Other, CpuFault::What::NotBlocking, &op);
  unsigned lane = thread.index % warpSize;
  CpuWarp &warp = block.warps[thread.index / warpSize];
  CpuThread *lanes = &thread - lane;
  // Lanes past the end of the block do not exist, so nobody waits for them.
  uint32_t members = mask & warp.present;
  if (LLVM_UNLIKELY(!(members >> lane & 1)))
    raiseFault(thread, FaultKind::Other, CpuFault::What::AbsentLane, &op, mask);
  if (LLVM_UNLIKELY(members & warp.exited))
    raiseFault(thread, FaultKind::Deadlock, CpuFault::What::ExitedLane, &op, 0,
               __builtin_ctz(members & warp.exited));
  thread.wait = kind;
  thread.mask = mask;
  thread.op = op;
  warp.waiting |= 1u << lane;
  bool complete = (warp.waiting & members) == members;
  for (uint32_t rest = members; complete && rest; rest &= rest - 1) {
    const CpuThread &other = lanes[__builtin_ctz(rest)];
    complete = other.mask == mask && other.op == op && other.wait == kind;
  }
  if (!complete) {
    suspendThread(block, thread);
    thread.wait = CpuWait::None;
    return;
  }
  warp.waiting &= ~members;
  if (kind == CpuWait::Shuffle)
    for (uint32_t rest = members; rest; rest &= rest - 1)
      shuffleLane(lanes, __builtin_ctz(rest), members);
  else if (kind == CpuWait::Vote)
    voteLanes(lanes, members, thread.mode);
  else
    syncLanes(block, lanes, thread.index / warpSize, members);
  for (uint32_t rest = members & ~(1u << lane); rest; rest &= rest - 1)
    makeReady(block, thread.index - lane + __builtin_ctz(rest));
  thread.wait = CpuWait::None;
}

extern "C" void ks_cpu_syncwarp(KsThread *self, uint32_t mask, uint32_t op) {
  meetWarp(blockOf(self), static_cast<CpuThread &>(*self), CpuWait::SyncWarp,
           mask, op);
}

extern "C" uint32_t ks_cpu_shuffle(KsThread *self, uint32_t mask,
                                   uint32_t value, uint32_t lane,
                                   uint32_t clamp, uint32_t mode,
                                   uint8_t *valid, uint32_t op) {
  auto &thread = static_cast<CpuThread &>(*self);
  thread.value = value;
  thread.lane = lane;
  thread.clamp = clamp;
  thread.mode = mode;
  meetWarp(blockOf(self), thread, CpuWait::Shuffle, mask, op);
  if (valid)
    *valid = thread.valid;
  return thread.result;
}

extern "C" uint32_t ks_cpu_vote(KsThread *self, uint32_t mask,
                                uint32_t predicate, uint32_t mode,
                                uint32_t op) {
  auto &thread = static_cast<CpuThread &>(*self);
  thread.value = predicate;
  thread.mode = mode;
  meetWarp(blockOf(self), thread, CpuWait::Vote, mask, op);
  return thread.result;
}
