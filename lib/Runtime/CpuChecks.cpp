// The checks of every access that kernels on the CPU device call, and traps.
#include "CpuBlock.h"

#include "llvm/Support/Compiler.h"
#include <cstring>

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

static inline bool isWritten(const CpuBlock &block, uint64_t offset,
                             uint32_t bytes) {
  const uint8_t *shadow = block.shadow + offset;
  uint64_t pattern = UINT64_C(0x0101010101010101) * block.stamp;
  switch (bytes) {
  case 4: {
    uint32_t word;
    memcpy(&word, shadow, 4);
    return word == uint32_t(pattern);
  }
  case 16: {
    uint64_t words[2];
    memcpy(words, shadow, 16);
    return words[0] == pattern && words[1] == pattern;
  }
  default:
    for (uint32_t index = 0; index < bytes; ++index)
      if (shadow[index] != block.stamp)
        return false;
    return true;
  }
}

static inline void markWritten(CpuBlock &block, uint64_t offset,
                               uint32_t bytes) {
  uint8_t *shadow = block.shadow + offset;
  uint64_t pattern = UINT64_C(0x0101010101010101) * block.stamp;
  switch (bytes) {
  case 4:
    memcpy(shadow, &pattern, 4);
    return;
  case 16:
    memcpy(shadow, &pattern, 8);
    memcpy(shadow + 8, &pattern, 8);
    return;
  default:
    memset(shadow, block.stamp, bytes);
  }
}

enum AccessKind : unsigned { Reads = 1, Writes = 2 };

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
    if (kind & Writes)
      markWritten(block, offset, bytes);
    return;
  }
  if (onStack(block, thread, address, bytes))
    return;
  raiseFault(thread, FaultKind::OutOfBounds, what, &op, address, bytes);
}

extern "C" void ks_cpu_load(KsThread *thread, const void *address,
                            uint32_t bytes, uint32_t op) {
  CpuBlock &block = blockOf(thread);
  auto place = reinterpret_cast<uint64_t>(address);
  if (LLVM_LIKELY(inGlobal(block, place, bytes)))
    return;
  checkOther<Reads>(block, static_cast<CpuThread &>(*thread), place, bytes, op,
                    CpuFault::What::Load);
}

extern "C" void ks_cpu_store(KsThread *thread, void *address, uint32_t bytes,
                             uint32_t op) {
  CpuBlock &block = blockOf(thread);
  auto place = reinterpret_cast<uint64_t>(address);
  if (LLVM_LIKELY(inGlobal(block, place, bytes)))
    return;
  checkOther<Writes>(block, static_cast<CpuThread &>(*thread), place, bytes, op,
                     CpuFault::What::Store);
}

extern "C" void ks_cpu_atomic(KsThread *thread, void *address, uint32_t bytes,
                              uint32_t op) {
  CpuBlock &block = blockOf(thread);
  auto place = reinterpret_cast<uint64_t>(address);
  if (LLVM_LIKELY(inGlobal(block, place, bytes)))
    return;
  checkOther<Reads | Writes>(block, static_cast<CpuThread &>(*thread), place,
                             bytes, op, CpuFault::What::Atomic);
}

extern "C" void ks_cpu_trap(KsThread *thread, uint32_t op) {
  raiseFault(static_cast<CpuThread &>(*thread), FaultKind::Trap,
             CpuFault::What::Trap, &op);
}
