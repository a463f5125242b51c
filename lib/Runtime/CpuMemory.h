// Memory of the CPU device: every buffer in its own 64 GiB slot of reserved
// address space, and one arena for shared memory below 4 GiB.
//
// `address >> 36` names the slot, so one compare against its extent tells
// whether an access is in bounds, and no overrun ever reaches another buffer:
// past the guard zones lie pages that no one may touch.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUMEMORY_H
#define KERNELSKILL_LIB_RUNTIME_CPUMEMORY_H

#include "KernelSkill/Runtime/Device.h"

namespace kernelskill {

class CpuMemory {
public:
  static constexpr unsigned slotBits = 34;
  static constexpr uint64_t sharedArenaBytes = 256 * 1024;

  /// What may be accessed in one slot; no bytes if it is free.
  struct Extent {
    uint64_t begin = 0, bytes = 0;
  };

  CpuMemory() = default;
  CpuMemory(const CpuMemory &) = delete;
  ~CpuMemory();
  /// Reserves the address space. Nothing else may be called before.
  llvm::Error reserve();

  llvm::Expected<DeviceAddress> allocate(uint64_t bytes);
  void release(DeviceAddress address);
  llvm::Error checkGuards() const;
  /// The live allocation that holds these bytes, or an error that says what
  /// `user` did wrong.
  llvm::Expected<void *> find(DeviceAddress address, uint64_t bytes,
                              llvm::StringRef user) const;

  llvm::ArrayRef<Extent> extents() const { return slots; }
  uint64_t firstSlot() const { return first; }
  /// The arena, aligned to its size so that descriptors of 18 bits fit too.
  uint8_t *shared() const { return arena; }
  uint64_t freeBytes() const;

private:
  std::vector<Extent> slots;
  uint64_t first = 0;
  size_t nextSlot = 0;
  uint64_t liveBytes = 0;
  uint8_t *arena = nullptr;
  void *reservation = nullptr, *arenaReservation = nullptr;
  uint64_t reservedBytes = 0;
};

/// Bytes of memory that this process can have.
uint64_t machineMemoryBytes();

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUMEMORY_H
