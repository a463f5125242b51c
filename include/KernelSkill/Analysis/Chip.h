// The chip table: what each NVIDIA chip can do. Facts, no decisions.
#ifndef KERNELSKILL_ANALYSIS_CHIP_H
#define KERNELSKILL_ANALYSIS_CHIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

struct Chip {
  llvm::StringLiteral name;    // "sm_90a"
  llvm::StringLiteral product; // the product the rates below are of: "H200 SXM"
  unsigned minPtx;             // least PTX version, 80 for 8.0
  unsigned multiprocessors;    // of that product
  double clockGHz;             // boost
  double dramBytesPerSecond;   // theoretical peak
  double l2BytesPerSecond;     // published, or the estimate of Chip.cpp
  double fp32FlopsPerSecond;   // 2 * lanes * clock * multiprocessors
  double fp64FlopsPerSecond;
  unsigned l2Bytes;
  unsigned maxThreadsPerMultiprocessor, maxBlocksPerMultiprocessor;
  unsigned registersPerMultiprocessor, maxRegistersPerThread;
  unsigned sharedPerMultiprocessor,
      sharedPerBlock; // bytes; per block: opt-in limit
};

/// The chip of that name, or an error that lists the known ones.
llvm::Expected<const Chip *> findChip(llvm::StringRef name);
llvm::ArrayRef<Chip> knownChips();

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_CHIP_H
