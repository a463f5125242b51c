// Finds races on the CPU device: two accesses to the same bytes by different
// threads that nothing orders, at least one of them a write, not both atomic.
//
// What orders two accesses is the launch, the barrier of the block, and
// bar.warp.sync among the lanes that it names; shuffles and votes order
// nothing, as on the hardware. Time is counted in epochs: every block of every
// launch, and every barrier in it, begins a new one. Threads of one block thus
// race if they meet in one epoch, threads of different blocks if they meet in
// one launch. Lanes of a warp have clocks beside, that bar.warp.sync moves.
//
// Each word of memory (each byte, once bytes are accessed alone) has a cell
// that remembers the last write and up to two reads, chosen so that a write
// races with one of them if it races with any: readers of other blocks, then of
// other warps, go first. The order in which threads are run doesn't matter.
#ifndef KERNELSKILL_LIB_RUNTIME_CPURACES_H
#define KERNELSKILL_LIB_RUNTIME_CPURACES_H

#include <cstddef>
#include <cstdint>

namespace kernelskill {

/// One access: epoch (32 bits), thread in the block (10), whether it is atomic
/// (1), the lane's clock (5), the operation's number (16).
using RaceStamp = uint64_t;
constexpr unsigned raceThreadShift = 22, raceClockShift = 16;
constexpr RaceStamp raceAtomic = RaceStamp(1) << 21;
constexpr uint32_t raceMaxOp = 0xffff;
/// The last clock of a lane in an epoch; from here on lanes of a warp count as
/// ordered, so that no right kernel is blamed.
constexpr uint32_t raceMaxClock = 31;

inline RaceStamp raceStamp(uint32_t epoch, uint32_t thread, uint32_t clock) {
  return RaceStamp(epoch) << 32 | RaceStamp(thread) << raceThreadShift |
         RaceStamp(clock) << raceClockShift;
}
inline uint32_t raceEpoch(RaceStamp stamp) { return stamp >> 32; }
inline uint32_t raceThread(RaceStamp stamp) {
  return stamp >> raceThreadShift & 1023;
}
inline uint32_t raceClock(RaceStamp stamp) {
  return stamp >> raceClockShift & raceMaxClock;
}
inline uint32_t raceOp(RaceStamp stamp) { return stamp & raceMaxOp; }

struct RaceCell {
  RaceStamp writer, reader, other;
};

/// The cells of one piece of memory.
struct RaceShadow {
  RaceCell *cells = nullptr; // null: not watched
  uint64_t bytes = 0;        // of the memory
  unsigned shift = 2;        // a cell is for 1 << shift bytes

  /// Maps cells for memory of this size, nothing but address space until they
  /// are used. Stays unwatched where there is none.
  void map(uint64_t memoryBytes);
  void unmap();
  /// Forgets all accesses.
  void clear();
  /// From cells of words to cells of bytes; nothing is forgotten.
  void refine();

private:
  uint64_t mappedBytes() const { return bytes * sizeof(RaceCell); }
};

/// What the lanes of a warp know of each other in the epoch: known[i][j] is how
/// many syncs of lane j come before what lane i does now.
struct WarpClocks {
  uint32_t epoch = 0; // zeros if it is not the block's
  uint8_t known[32][32];
};

/// bar.warp.sync of these lanes.
void syncClocks(WarpClocks &clocks, uint32_t epoch, uint32_t members);

/// Epochs of a block that runs.
struct RaceEpochs {
  uint32_t launch = 1, block = 1, now = 1; // of launch, block, last barrier
  WarpClocks warps[32];

  /// Whether `past` and the running thread's access `mine` are unordered.
  /// `oldest` is the first epoch that counts: the launch's for global memory,
  /// the block's for shared memory.
  inline bool unordered(RaceStamp past, RaceStamp mine, uint32_t oldest) const {
    uint32_t epoch = raceEpoch(past);
    if (epoch < oldest)
      return false;
    if (epoch != now)
      return epoch < block;
    if (raceThread(past) == raceThread(mine))
      return false;
    return raceThread(past) / 32 != raceThread(mine) / 32 ||
           !orderedLanes(past, mine);
  }
  bool orderedLanes(RaceStamp past, RaceStamp mine) const;

  /// Whether a read by another block of this launch.
  bool ofOtherBlock(RaceStamp past, uint32_t oldest) const {
    return raceEpoch(past) >= oldest && raceEpoch(past) < block;
  }
};

/// Records the access `mine` in the cell. Gives the access that it races with,
/// 0 if there is none; `pastWrites` says what that one did.
inline RaceStamp readCell(const RaceEpochs &epochs, RaceCell &cell,
                          RaceStamp mine, uint32_t oldest) {
  RaceStamp writer = cell.writer;
  if (epochs.unordered(writer, mine, oldest) && !(writer & mine & raceAtomic))
    return writer;
  RaceStamp reader = cell.reader;
  if (raceEpoch(reader) != epochs.now) {
    if (epochs.ofOtherBlock(reader, oldest))
      cell.other = reader;
    cell.reader = mine;
  } else if (raceThread(reader) == raceThread(mine)) {
    // A plain read says more than an atomic one.
    if (!(mine & raceAtomic) || (reader & raceAtomic))
      cell.reader = mine;
  } else {
    RaceStamp other = cell.other;
    bool keep = epochs.ofOtherBlock(other, oldest) ||
                (raceEpoch(other) == epochs.now &&
                 raceThread(other) / 32 != raceThread(reader) / 32 &&
                 raceThread(mine) / 32 == raceThread(reader) / 32);
    if (!keep)
      cell.other = mine;
  }
  return 0;
}

inline RaceStamp writeCell(const RaceEpochs &epochs, RaceCell &cell,
                           RaceStamp mine, uint32_t oldest, bool &pastWrites) {
  RaceStamp writer = cell.writer, reader = cell.reader, other = cell.other;
  pastWrites = true;
  if (epochs.unordered(writer, mine, oldest) && !(writer & mine & raceAtomic))
    return writer;
  pastWrites = false;
  if (epochs.unordered(reader, mine, oldest) && !(reader & mine & raceAtomic))
    return reader;
  if (epochs.unordered(other, mine, oldest) && !(other & mine & raceAtomic))
    return other;
  cell.writer = mine;
  return 0;
}

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPURACES_H
