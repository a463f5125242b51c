// Cells and clocks of the race detector; see the header.
#include "CpuRaces.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace kernelskill;

void RaceShadow::map(uint64_t memoryBytes) {
  bytes = memoryBytes;
  shift = 2;
  if (bytes == 0)
    return;
  // For cells of bytes, in case they come; what isn't touched costs nothing.
  void *memory = mmap(nullptr, mappedBytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  cells = memory == MAP_FAILED ? nullptr : static_cast<RaceCell *>(memory);
}

void RaceShadow::unmap() {
  if (cells)
    munmap(cells, mappedBytes());
  *this = RaceShadow();
}

void RaceShadow::clear() {
  if (cells)
    madvise(cells, mappedBytes(), MADV_DONTNEED);
}

void RaceShadow::refine() {
  // From the end, so that nothing is overwritten before it is read.
  for (uint64_t word = (bytes + 3) / 4; word-- > 0;) {
    RaceCell cell = cells[word];
    uint64_t end = std::min(4 * word + 4, bytes);
    for (uint64_t byte = end; byte-- > 4 * word;)
      cells[byte] = cell;
  }
  shift = 0;
}

void kernelskill::syncClocks(WarpClocks &clocks, uint32_t epoch,
                             uint32_t members) {
  if (clocks.epoch != epoch) {
    memset(clocks.known, 0, sizeof(clocks.known));
    clocks.epoch = epoch;
  }
  uint8_t joined[32] = {};
  for (uint32_t rest = members; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    uint8_t &own = clocks.known[lane][lane];
    own = std::min<unsigned>(own + 1, raceMaxClock);
    for (unsigned other = 0; other < 32; ++other)
      joined[other] = std::max(joined[other], clocks.known[lane][other]);
  }
  for (uint32_t rest = members; rest; rest &= rest - 1)
    memcpy(clocks.known[__builtin_ctz(rest)], joined, sizeof(joined));
}

bool RaceEpochs::orderedLanes(RaceStamp past, RaceStamp mine) const {
  const WarpClocks &clocks = warps[raceThread(mine) / 32];
  uint32_t clock = raceClock(past);
  if (clock == raceMaxClock)
    return true;
  return clocks.epoch == now &&
         clocks.known[raceThread(mine) % 32][raceThread(past) % 32] > clock;
}
