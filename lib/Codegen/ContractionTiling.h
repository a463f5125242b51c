// How a contraction is cut into block tiles, thread tiles and copies: all that
// is decided about a kernel before any of it is written.
#ifndef KERNELSKILL_CODEGEN_CONTRACTIONTILING_H
#define KERNELSKILL_CODEGEN_CONTRACTIONTILING_H

#include "ContractionShape.h"

namespace kernelskill {

/// The defaults are what was fastest on an H200 at 4096 x 4096 x 4096 with a
/// chain of 256 (0.84 of cuBLAS in fp32; tiles of 128 x 128 with two blocks
/// 0.79, with one block, which then has all registers it wants, 0.55). A second
/// set of sums leaves a thread 190 registers or more; bounded to the 168 that
/// let a third block in, ptxas spills some of that set, but outside of the loop
/// over k.
struct ContractionKnobs {
  /// Elements of C that a block computes, and products that it sums at a time.
  int64_t tileM = 128, tileN = 64, tileK = 16;
  /// Elements of C that a thread computes.
  int64_t threadM = 8, threadN = 8;
  /// Tiles of A and B in shared memory: 2 lets copies run beside products.
  int64_t stages = 2;
  /// Rows of block tiles that are taken together, so that neighbouring blocks
  /// share operands in the L2 cache.
  int64_t group = 8;
  /// Products that are summed in one chain before the sum is added to a second
  /// set of registers; from K on: one chain, and one set.
  ///
  /// Measured (fma chains against sums in blocks of 128, both fp32, error in
  /// norm against f64, as a ratio; componentwise errors are alike):
  ///
  ///   K, inputs               chain 128   256   512  1024    all
  ///   1024, normal                 0.95  1.31  1.82  2.50   2.50
  ///   1024, uniform [0,1)          1.04  1.60  3.07  5.87   5.87
  ///   4096, normal                 1.08  1.33  1.84  2.77   5.08
  ///   4096, uniform                1.65  1.57  2.47  4.53  17.4
  ///   16384, normal                1.29  1.49  1.95  2.72  10.0
  ///   16384, uniform               3.25  2.34  2.11  2.70  33.1
  ///
  /// So one chain fails a bound of 4 from K = 1024 on, and 256 keeps
  /// within 2.4.
  int64_t chain = 256;
  /// Blocks that have to fit on a multiprocessor: bounds a thread's registers.
  int64_t minBlocks = 3;
};

/// How the block copies one operand's tile to shared memory.
struct TileCopy {
  ContractionOperand operand;
  /// Whether the vectors that are read lie along k (then they are transposed on
  /// the way) or along the tile's rows.
  bool alongK;
  /// Elements a vector.
  int64_t width;
  /// Rows (m or n) of the tile, and the distance in elements of two k in shared
  /// memory: rows, padded if the tile is transposed so that the stores of a
  /// warp meet different banks.
  int64_t rows, pitch;
  /// Vectors that one thread copies, and whether the last of them is beyond the
  /// tile for some threads.
  int64_t passes;
  bool uneven;
};

struct ContractionTiling {
  ContractionKnobs knobs;
  int64_t threads;
  /// Threads along m and n, and how a warp's lanes are spread over them.
  int64_t threadsM, threadsN, lanesM, lanesN;
  /// Vectors that thread tiles consist of: elements of each along m and n. The
  /// vectors of one thread are threadsM (threadsN) vectors apart, so that a
  /// warp reads neighbouring 16 bytes of shared memory.
  int64_t vectorM, vectorN;
  /// Block tiles, and tiles of k.
  int64_t tilesM, tilesN, tilesK;
  /// Tiles of k in one chain.
  int64_t chainTiles;
  TileCopy a, b;

  int64_t sharedBytes() const;
  int64_t blocks(const ContractionShape &shape) const;
};

/// The tiling, or which knobs don't fit each other.
llvm::Expected<ContractionTiling>
planContraction(const ContractionShape &shape, const ContractionKnobs &knobs);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_CONTRACTIONTILING_H
