// Slots, guard zones and the shared arena of the CPU device; see the header.
#include "CpuMemory.h"

#include "GuardBytes.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr uint64_t slotBytes = uint64_t(1) << CpuMemory::slotBits;
constexpr uint64_t pageBytes = 4096;
// Guards take at least one page on each side.
constexpr uint64_t guardBytes = pageBytes;
// 64 TiB of the 128 TiB that a process has; less where that is refused. Deep
// networks have over a thousand weights, buffers and results.
constexpr size_t mostSlots = 4096, leastSlots = 64;
} // namespace

uint64_t kernelskill::machineMemoryBytes() {
  uint64_t bytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // A container may have less than the machine; "max" is no number.
  uint64_t limit = 0;
  if (auto file = MemoryBuffer::getFileAsStream("/sys/fs/cgroup/memory.max"))
    if (!(*file)->getBuffer().trim().getAsInteger(10, limit))
      bytes = std::min(bytes, limit);
  return bytes;
}

/// All bytes that an allocation takes: guards, data, rest of the last page.
static uint64_t mappedBytes(uint64_t bytes) {
  return guardBytes + alignTo(bytes, pageBytes) + guardBytes;
}

static void *mapPages(void *hint, uint64_t bytes, int protection, int flags) {
  void *pages =
      mmap(hint, bytes, protection,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

CpuMemory::~CpuMemory() {
  if (reservation)
    munmap(reservation, reservedBytes);
  if (arenaReservation)
    munmap(arenaReservation, 2 * sharedArenaBytes);
}

Error CpuMemory::reserve() {
  size_t count = mostSlots;
  for (; count >= leastSlots && !reservation; count /= 2) {
    reservedBytes = (count + 1) * slotBytes; // one more, to align
    reservation = mapPages(nullptr, reservedBytes, PROT_NONE, 0);
    slots.resize(count);
  }
  if (!reservation)
    return createStringError(
        "the CPU device needs 1 TiB of address space (no memory) and got none; "
        "raise the limit with 'ulimit -v unlimited'");
  first = divideCeil(reinterpret_cast<uint64_t>(reservation), slotBytes);

  // Shared addresses are cut to 32 bits by the kernels. MAP_32BIT gives the
  // lowest 2 GiB; elsewhere the hint usually does.
  void *hint = nullptr;
#ifdef MAP_32BIT
  constexpr int low = MAP_32BIT;
#else
  constexpr int low = 0;
  hint = reinterpret_cast<void *>(uint64_t(1) << 30);
#endif
  arenaReservation =
      mapPages(hint, 2 * sharedArenaBytes, PROT_READ | PROT_WRITE, low);
  uint64_t begin =
      alignTo(reinterpret_cast<uint64_t>(arenaReservation), sharedArenaBytes);
  if (!arenaReservation || begin >> 32)
    return createStringError("the CPU device found no address below 4 GiB for "
                             "shared memory; close what else uses them");
  arena = reinterpret_cast<uint8_t *>(begin);
  return Error::success();
}

uint64_t CpuMemory::freeBytes() const {
  static const uint64_t all = machineMemoryBytes();
  return liveBytes < all ? all - liveBytes : 0;
}

Expected<DeviceAddress> CpuMemory::allocate(uint64_t bytes) {
  auto refuse = [&](const Twine &why) {
    return make_error<DeviceFault>(
        FaultKind::OutOfMemory,
        ("can't allocate " + Twine(bytes) + " bytes on the CPU device: " + why)
            .str());
  };
  // Pages are committed when touched, so a size that the machine does not have
  // must be refused here: later, the kernel would kill the process.
  if (bytes > freeBytes() || mappedBytes(bytes) > slotBytes)
    return refuse(Twine(freeBytes()) + " bytes are left");
  // Round robin, so that a stale address meets an empty slot for long.
  size_t index = nextSlot;
  for (size_t tried = 0; slots[index].begin; index = (index + 1) % slots.size())
    if (++tried == slots.size())
      return refuse("all " + Twine(slots.size()) + " buffers are in use");
  uint64_t base = (first + index) << slotBits;
  if (!mapPages(reinterpret_cast<void *>(base), mappedBytes(bytes),
                PROT_READ | PROT_WRITE, MAP_FIXED))
    return refuse("the operating system refused");
  nextSlot = (index + 1) % slots.size();
  uint64_t begin = base + guardBytes;
  auto guard = [](uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to; ++at)
      *reinterpret_cast<uint8_t *>(at) = guardByteAt(at);
  };
  guard(base, begin);
  guard(begin + bytes, base + mappedBytes(bytes));
  slots[index] = {begin, bytes};
  liveBytes += bytes;
  return begin;
}

void CpuMemory::release(DeviceAddress address) {
  uint64_t index = (address >> slotBits) - first;
  if (index >= slots.size() || slots[index].begin != address)
    return;
  // Back to no access, which also gives the pages back.
  mapPages(reinterpret_cast<void *>((first + index) << slotBits),
           mappedBytes(slots[index].bytes), PROT_NONE, MAP_FIXED);
  liveBytes -= slots[index].bytes;
  slots[index] = {};
}

Error CpuMemory::checkGuards() const {
  for (const Extent &slot : slots) {
    if (!slot.begin)
      continue;
    auto intact = [](uint64_t at) {
      return *reinterpret_cast<const uint8_t *>(at) == guardByteAt(at);
    };
    auto report = [&](const Twine &where) {
      return make_error<DeviceFault>(FaultKind::OutOfBounds,
                                     ("a kernel wrote " + where +
                                      " of a buffer of " + Twine(slot.bytes) +
                                      " bytes")
                                         .str());
    };
    uint64_t tail = slot.begin + slot.bytes;
    uint64_t tailEnd = slot.begin - guardBytes + mappedBytes(slot.bytes);
    for (uint64_t at = tail; at < tailEnd; ++at)
      if (!intact(at))
        return report(Twine(at - tail) + " bytes past the end");
    for (uint64_t distance = 1; distance <= guardBytes; ++distance)
      if (!intact(slot.begin - distance))
        return report(Twine(distance) + " bytes before the start");
  }
  return Error::success();
}

Expected<void *> CpuMemory::find(DeviceAddress address, uint64_t bytes,
                                 StringRef user) const {
  uint64_t index = (address >> slotBits) - first;
  if (index < slots.size() && slots[index].begin) {
    uint64_t offset = address - slots[index].begin;
    if (offset <= slots[index].bytes && bytes <= slots[index].bytes - offset)
      return reinterpret_cast<void *>(address);
    if (offset <= slots[index].bytes)
      return make_error<DeviceFault>(
          FaultKind::OutOfBounds,
          (user + " of " + Twine(bytes) + " bytes at byte " + Twine(offset) +
           " of a buffer of " + Twine(slots[index].bytes) + " bytes")
              .str());
  }
  return make_error<DeviceFault>(
      FaultKind::IllegalAccess, (user + " of " + Twine(bytes) + " bytes at 0x" +
                                 utohexstr(address, /*LowerCase=*/true) +
                                 ", which is no live address of the CPU device")
                                    .str());
}
