// Walks a kernel as a few of its warps would run it, and adds up what they do.
//
// Sampled are the first, a middle and the last warp of the first, a middle and
// the last block, each weighted by the warps that it stands for. Loops are
// walked once, at their first iteration, and counted by their trips. Conditions
// that can't be told (they depend on data) are taken to hold, both ways of
// them. A loop whose trips can't be told makes all sums unknown.
#ifndef KERNELSKILL_ANALYSIS_KERNELTRACE_H
#define KERNELSKILL_ANALYSIS_KERNELTRACE_H

#include "WarpEvaluator.h"

#include "llvm/ADT/MapVector.h"
#include <optional>

namespace kernelskill {

/// A sum that becomes unknown once something unknown is added.
class Sum {
public:
  /// The greater of both; unknown if one is.
  void take(const Sum &other) {
    known = known && other.known;
    total = std::max(total, other.total);
  }
  void add(std::optional<double> value) {
    known = known && value;
    total += value.value_or(0);
  }
  std::optional<double> get() const {
    return known ? std::optional<double>(total) : std::nullopt;
  }

private:
  bool known = true;
  double total = 0;
};

/// One memory access op, added up over the launch.
struct AccessTotals {
  bool isStore = false, isShared = false;
  unsigned widthBytes = 0; // asked for by one lane at once
  mlir::Value root;        // null when not known
  Sum executions;          // by warps
  Sum usedBytes, sectorBytes, l2Bytes, wavefronts;
  /// Worst of the samples; absent when not known or with a single lane.
  std::optional<double> laneStride, conflictDegree;
};

struct KernelTotals {
  /// By op, and side: 0 loads, 1 stores (a copy does both).
  llvm::MapVector<std::pair<mlir::Operation *, unsigned>, AccessTotals>
      accesses;
  double warps = 0;
  Sum instructions;           // added up over warps, counted once a warp
  Sum flops;                  // of all lanes
  Sum barriers, memoryRounds; // of the warp that has most
  unsigned loopDepth = 0;
};

/// `residentWarps` of a multiprocessor share its L1 cache.
KernelTotals traceKernel(mlir::gpu::GPUFuncOp kernel, Dim3 grid, Dim3 block,
                         double residentWarps);

/// Floating-point operations of one execution of an op that isn't a load or
/// store: elements times 1, or 2 for a fused multiply-add.
double flopsOf(mlir::Operation *op);
/// exp, log, tanh, erf, pow, sin, cos and their like.
bool isTranscendental(mlir::Operation *op);

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_KERNELTRACE_H
