// Plans the tiles of a contraction; see the header.
#include "ContractionTiling.h"

#include "Knobs.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

/// Static shared memory that PTX allows.
static constexpr int64_t kSharedBytes = 48 * 1024;
static constexpr int64_t kMostThreads = 1024;
/// Threads of all blocks of a multiprocessor.
static constexpr int64_t kMostResident = 2048;
/// Sums of a thread: more leave no registers for a second set, or for anything
/// else without one.
static constexpr int64_t kMostSums = 128;

int64_t ContractionTiling::sharedBytes() const {
  return 4 * knobs.stages * knobs.tileK * (a.pitch + b.pitch);
}

int64_t ContractionTiling::blocks(const ContractionShape &shape) const {
  return tilesM * tilesN * shape.batch.size();
}

static TileCopy planCopy(const ContractionShape &shape,
                         ContractionOperand operand,
                         const ContractionKnobs &knobs, int64_t threads) {
  TileCopy copy;
  copy.operand = operand;
  copy.rows = operand == OperandA ? knobs.tileM : knobs.tileN;
  const ContractionAxis &rows = operand == OperandA ? shape.m : shape.n;
  // Along k only if the operand really is contiguous there.
  copy.alongK =
      !shape.k.pieces.empty() && shape.k.pieces.back().strides[operand] == 1 &&
      (rows.pieces.empty() || rows.pieces.back().strides[operand] != 1);
  int64_t most = std::min<int64_t>(4, copy.alongK ? knobs.tileK : copy.rows);
  copy.width = shape.vectorWidth(operand, copy.alongK ? shape.k : rows, most);
  copy.pitch = copy.rows + (copy.alongK ? 4 : 0);
  int64_t vectors = knobs.tileK * copy.rows / copy.width;
  copy.passes = llvm::divideCeil(vectors, threads);
  copy.uneven = vectors % threads != 0;
  return copy;
}

llvm::Expected<ContractionTiling>
kernelskill::planContraction(const ContractionShape &shape,
                             const ContractionKnobs &knobs) {
  struct Knob {
    const char *name;
    int64_t value, least, most;
  } powers[] = {
      {"tile_m", knobs.tileM, 4, 512},    {"tile_n", knobs.tileN, 4, 512},
      {"tile_k", knobs.tileK, 4, 128},    {"thread_m", knobs.threadM, 1, 32},
      {"thread_n", knobs.threadN, 1, 32}, {"stages", knobs.stages, 1, 2},
  };
  for (const Knob &knob : powers)
    if (knob.value < knob.least || knob.value > knob.most ||
        !llvm::isPowerOf2_64(knob.value))
      return refusal("{0} must be a power of 2 from {1} to {2}, but is {3}",
                     knob.name, knob.least, knob.most, knob.value);
  if (knobs.chain % knobs.tileK)
    return refusal("chain must be a multiple of tile_k ({0}), but is {1}",
                   knobs.tileK, knobs.chain);
  if (knobs.threadM > knobs.tileM || knobs.threadN > knobs.tileN)
    return refusal("a thread's tile ({0}x{1}) exceeds the block's ({2}x{3})",
                   knobs.threadM, knobs.threadN, knobs.tileM, knobs.tileN);
  if (knobs.threadM * knobs.threadN > kMostSums)
    return refusal("thread_m * thread_n must be at most {0} (registers), but "
                   "is {1}",
                   kMostSums, knobs.threadM * knobs.threadN);

  ContractionTiling tiling;
  tiling.knobs = knobs;
  tiling.threadsM = knobs.tileM / knobs.threadM;
  tiling.threadsN = knobs.tileN / knobs.threadN;
  tiling.threads = tiling.threadsM * tiling.threadsN;
  if (tiling.threads < 32 || tiling.threads > kMostThreads)
    return refusal("expected 32 to {0} threads (tile_m / thread_m * tile_n / "
                   "thread_n), but there are {1}",
                   kMostThreads, tiling.threads);
  // 4 x 8 lanes where there is room: a warp then reads 64 + 128 different bytes
  // for each vector of A and B, the least that shared memory has to deliver.
  tiling.lanesN = std::min<int64_t>(8, tiling.threadsN);
  tiling.lanesM = std::min(32 / tiling.lanesN, tiling.threadsM);
  tiling.lanesN = 32 / tiling.lanesM;
  tiling.vectorM = std::min<int64_t>(4, knobs.threadM);
  tiling.vectorN = std::min<int64_t>(4, knobs.threadN);
  tiling.tilesM = llvm::divideCeil(shape.m.size(), knobs.tileM);
  tiling.tilesN = llvm::divideCeil(shape.n.size(), knobs.tileN);
  tiling.tilesK = llvm::divideCeil(shape.k.size(), knobs.tileK);
  tiling.chainTiles = std::min(knobs.chain / knobs.tileK, tiling.tilesK);
  if (tiling.blocks(shape) > INT32_MAX)
    return refusal("the grid would exceed 2^31 - 1 blocks");
  if (knobs.minBlocks * tiling.threads > kMostResident)
    return refusal("min_blocks * threads must be at most {0}, but is {1}",
                   kMostResident, knobs.minBlocks * tiling.threads);
  tiling.a = planCopy(shape, OperandA, knobs, tiling.threads);
  tiling.b = planCopy(shape, OperandB, knobs, tiling.threads);
  if (tiling.sharedBytes() > kSharedBytes)
    return refusal("the tiles need {0} bytes of shared memory, but static "
                   "shared memory ends at {1}",
                   tiling.sharedBytes(), kSharedBytes);
  return tiling;
}
