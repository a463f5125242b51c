// The checks of every access that kernels on the CPU device call, and traps.
#include "CpuBlock.h"

#include "llvm/Support/Compiler.h"
#include <algorithm>

using namespace kernelskill;

void kernelskill::raiseFault(CpuThread &thread, FaultKind kind,
                             CpuFault::What what, const uint32_t *op,
                             uint64_t address, uint32_t bytes, uint32_t op2) {
  CpuBlock &block = blockOf(&thread);
  // From here on the time limit has nothing to cut.
  block.active = 0;
  CpuFault &fault = block.fault;
  fault.kind = kind;
  fault.what = what;
  for (unsigned axis = 0; axis < 3; ++axis) {
    fault.threadId[axis] = thread.threadId[axis];
    fault.blockId[axis] = thread.blockId[axis];
  }
  fault.hasOp = op != nullptr;
  fault.op = op ? *op : 0;
  fault.op2 = op2;
  fault.address = address;
  fault.bytes = bytes;
  leaveFiber(block.scheduler);
}

/// Whether the bytes lie in one global buffer.
static inline bool inGlobal(const CpuBlock &block, uint64_t address,
                            uint32_t bytes) {
  uint64_t slot = (address >> CpuMemory::slotBits) - block.firstSlot;
  if (slot >= block.slotCount)
    return false;
  const CpuMemory::Extent &extent = block.extents[slot];
  uint64_t offset = address - extent.begin;
  return offset < extent.bytes && bytes <= extent.bytes - offset;
}

static inline bool inShared(const CpuBlock &block, uint64_t address,
                            uint32_t bytes) {
  uint64_t offset = address - block.sharedBase;
  return offset < block.sharedBytes && bytes <= block.sharedBytes - offset;
}

/// Private memory: the stack of the running thread.
static bool onStack(const CpuBlock &block, const CpuThread &thread,
                    uint64_t address, uint32_t bytes) {
  FiberStack stack = block.stacks->stack(block.plain ? 0 : thread.index);
  uint64_t offset = address - reinterpret_cast<uint64_t>(stack.bottom);
  return offset < stack.bytes && bytes <= stack.bytes - offset;
}

/// The cells of an access, and whether they must be refined first.
static LLVM_ATTRIBUTE_ALWAYS_INLINE RaceCell *
cellsOf(RaceShadow &shadow, uint64_t offset, uint32_t bytes, unsigned &count) {
  if (LLVM_UNLIKELY(shadow.shift != 0 && ((offset | bytes) & 3)))
    shadow.refine();
  count = bytes >> shadow.shift;
  return shadow.cells + (offset >> shadow.shift);
}

[[noreturn]] static LLVM_ATTRIBUTE_NOINLINE void
raiseRace(CpuThread &thread, uint64_t address, uint32_t bytes, uint32_t op,
          RaceStamp past, RaceStamp mine, bool pastWrites, bool mineWrites) {
  CpuFault &fault = blockOf(&thread).fault;
  fault.past = past;
  fault.mine = mine;
  fault.pastWrites = pastWrites;
  fault.mineWrites = mineWrites;
  raiseFault(thread, FaultKind::Race, CpuFault::What::Race, &op, address,
             bytes);
}

enum AccessKind : unsigned { Reads = 1, Writes = 2, Atomic = 4 };

/// Looks for a race of this access and records it. `oldest`: see RaceEpochs.
template <unsigned kind>
static LLVM_ATTRIBUTE_ALWAYS_INLINE void
record(CpuBlock &block, CpuThread &thread, RaceShadow &shadow, uint64_t offset,
       uint64_t address, uint32_t bytes, uint32_t op, uint32_t oldest) {
  unsigned count;
  RaceCell *cells = cellsOf(shadow, offset, bytes, count);
  RaceStamp mine =
      thread.stamp | std::min(op, raceMaxOp) | (kind & Atomic ? raceAtomic : 0);
  for (unsigned index = 0; index < count; ++index) {
    RaceStamp past = 0;
    bool pastWrites = true;
    if (kind & Writes)
      past = writeCell(block.epochs, cells[index], mine, oldest, pastWrites);
    // An atomic update is remembered as a read, too: plain accesses of others
    // race with all of them, not only with the last.
    if ((kind & Reads) && !past)
      past = readCell(block.epochs, cells[index], mine, oldest);
    if (LLVM_UNLIKELY(past))
      raiseRace(thread, address, bytes, op, past, mine, pastWrites,
                kind & Writes);
  }
}

/// Whether this block has written all of these bytes of shared memory.
static inline bool isWritten(CpuBlock &block, uint64_t offset, uint32_t bytes) {
  unsigned count;
  RaceCell *cells = cellsOf(block.sharedShadow, offset, bytes, count);
  for (unsigned index = 0; index < count; ++index)
    if (raceEpoch(cells[index].writer) < block.epochs.block)
      return false;
  return true;
}

/// Any access that is not to a global buffer within its bounds.
template <unsigned kind>
static LLVM_ATTRIBUTE_NOINLINE void
checkOther(CpuBlock &block, CpuThread &thread, uint64_t address, uint32_t bytes,
           uint32_t op, CpuFault::What what) {
  if (LLVM_LIKELY(inShared(block, address, bytes))) {
    uint64_t offset = address - block.sharedBase;
    if ((kind & Reads) && LLVM_UNLIKELY(!isWritten(block, offset, bytes)))
      raiseFault(thread, FaultKind::UnwrittenRead,
                 CpuFault::What::UnwrittenRead, &op, address, bytes);
    record<kind>(block, thread, block.sharedShadow, offset, address, bytes, op,
                 block.epochs.block);
    return;
  }
  if (onStack(block, thread, address, bytes))
    return;
  raiseFault(thread, FaultKind::OutOfBounds, what, &op, address, bytes);
}

template <unsigned kind>
static LLVM_ATTRIBUTE_ALWAYS_INLINE void
check(KsThread *self, const void *address, uint32_t bytes, uint32_t op,
      CpuFault::What what) {
  CpuBlock &block = blockOf(self);
  auto &thread = static_cast<CpuThread &>(*self);
  auto place = reinterpret_cast<uint64_t>(address);
  if (LLVM_UNLIKELY(!inGlobal(block, place, bytes)))
    return checkOther<kind>(block, thread, place, bytes, op, what);
  uint64_t slot = (place >> CpuMemory::slotBits) - block.firstSlot;
  RaceShadow &shadow = block.shadows[slot];
  if (shadow.cells)
    record<kind>(block, thread, shadow, place - block.extents[slot].begin,
                 place, bytes, op, block.epochs.launch);
}

extern "C" void ks_cpu_load(KsThread *thread, const void *address,
                            uint32_t bytes, uint32_t op) {
  check<Reads>(thread, address, bytes, op, CpuFault::What::Load);
}

extern "C" void ks_cpu_store(KsThread *thread, void *address, uint32_t bytes,
                             uint32_t op) {
  check<Writes>(thread, address, bytes, op, CpuFault::What::Store);
}

extern "C" void ks_cpu_atomic(KsThread *thread, void *address, uint32_t bytes,
                              uint32_t op) {
  check<Reads | Writes | Atomic>(thread, address, bytes, op,
                                 CpuFault::What::Atomic);
}

extern "C" void ks_cpu_trap(KsThread *thread, uint32_t op) {
  raiseFault(static_cast<CpuThread &>(*thread), FaultKind::Trap,
             CpuFault::What::Trap, &op);
}
