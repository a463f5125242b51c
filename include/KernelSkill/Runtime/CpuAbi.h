// What the CPU image of a kernel expects: the contract between Lowering's CPU
// lowering and Runtime's CPU device.
//
// A kernel `k` is an external symbol `void k(KsThread *thread, void **args)`:
// run once for each thread of each block. args[i] points to the i-th argument's
// value (for a buffer: to its address). Everything that CUDA hardware would do
// is a call into the functions below, each with the number of the operation
// (KernelRecord::cpuOps) so that a fault names its place.
//
// Global buffers lie each in a 64 GiB slot of reserved address space (address
// >> 36 names the slot), shared memory in one arena below 4 GiB.
#ifndef KERNELSKILL_RUNTIME_CPUABI_H
#define KERNELSKILL_RUNTIME_CPUABI_H

#include <cstdint>

extern "C" {

/// The running thread. The first 12 words are read by generated code; the rest
/// belongs to the device.
struct KsThread {
  uint32_t threadId[3], blockId[3], blockDim[3], gridDim[3];
  uint8_t *shared; // base of the block's shared memory (static, then dynamic)
  void *block;     // the device's state of the block
};

/// Reports an access that is out of bounds, a read of shared memory that no
/// thread of this block has written, or a race with an access of before. On a
/// fault they do not return.
void ks_cpu_load(KsThread *thread, const void *address, uint32_t bytes,
                 uint32_t op);
void ks_cpu_store(KsThread *thread, void *address, uint32_t bytes, uint32_t op);
/// A read-modify-write (atomics): bounds, and counts as read and write.
void ks_cpu_atomic(KsThread *thread, void *address, uint32_t bytes,
                   uint32_t op);

/// bar.sync 0. All threads of the block must arrive.
void ks_cpu_barrier(KsThread *thread, uint32_t op);
/// bar.warp.sync.
void ks_cpu_syncwarp(KsThread *thread, uint32_t mask, uint32_t op);
/// shfl.sync of 32 bits. mode 0 idx, 1 up, 2 down, 3 bfly; `clamp` as in PTX.
/// The predicate (source lane in range) goes to *valid when valid is not null.
uint32_t ks_cpu_shuffle(KsThread *thread, uint32_t mask, uint32_t value,
                        uint32_t lane, uint32_t clamp, uint32_t mode,
                        uint8_t *valid, uint32_t op);
/// vote.sync. mode 0 ballot (a mask), 1 any, 2 all, 3 uniform (0 or 1).
uint32_t ks_cpu_vote(KsThread *thread, uint32_t mask, uint32_t predicate,
                     uint32_t mode, uint32_t op);
/// A failed device assertion or trap.
void ks_cpu_trap(KsThread *thread, uint32_t op);
}

#endif // KERNELSKILL_RUNTIME_CPUABI_H
