// Decides whether index arithmetic fits in 32 bits, which saves registers and
// instructions on GPUs.
//
// The range analysis bounds every index value of the prepared kernels (thread
// and block ids by known_block_size and known_grid_size, loop variables by
// their bounds). 32 bits do if each fits in a signed 32-bit integer, if no
// unsigned operation sees a negative one (its bits would differ), if a loop's
// last increment fits too, and if the elements of each memref can be counted:
// then each product of a linearized address is smaller than that count.
#include "KernelLowering.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Analysis/DataFlowFramework.h"

using namespace mlir;
using namespace kernelskill;

namespace {
class Narrowness {
public:
  explicit Narrowness(DataFlowSolver &solver) : solver(solver) {}

  bool holds(Operation *op) const {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!llvm::all_of(block.getArguments(),
                          [&](Value value) { return fits(value); }))
          return false;
    if (!llvm::all_of(op->getResults(),
                      [&](Value value) { return fits(value); }))
      return false;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return !loop.getUpperBound().getType().isIndex() || lastFits(loop);
    if (isa<arith::DivUIOp, arith::RemUIOp, arith::ShRUIOp,
            arith::IndexCastUIOp, arith::CeilDivUIOp>(op))
      return llvm::all_of(op->getOperands(), [&](Value value) {
        return !isIndex(value.getType()) || low(value) >= 0;
      });
    return true;
  }

private:
  static bool isIndex(Type type) {
    return getElementTypeOrSelf(type).isIndex();
  }

  std::optional<ConstantIntRanges> range(Value value) const {
    auto *lattice =
        solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!lattice || lattice->getValue().isUninitialized())
      return std::nullopt;
    return lattice->getValue().getValue();
  }
  int64_t low(Value value) const {
    std::optional<ConstantIntRanges> found = range(value);
    return found ? found->smin().getSExtValue() : INT64_MIN;
  }
  int64_t high(Value value) const {
    std::optional<ConstantIntRanges> found = range(value);
    return found ? found->smax().getSExtValue() : INT64_MAX;
  }

  /// Elements from the first to the last; 0 where it is only known at run time
  /// (then the operations that compute it are bounded like all others).
  static int64_t span(MemRefType memref) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (!memref.hasStaticShape() ||
        failed(memref.getStridesAndOffset(strides, offset)))
      return 0;
    int64_t last = ShapedType::isDynamic(offset) ? 0 : offset;
    for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
      if (!ShapedType::isDynamic(stride))
        last = llvm::SaturatingMultiplyAdd<uint64_t>(
            std::max<int64_t>(size - 1, 0), stride, last);
    return last;
  }

  bool fits(Value value) const {
    if (auto memref = dyn_cast<MemRefType>(value.getType())) {
      // Elements of type index would change their size in memory.
      if (memref.getElementType().isIndex())
        return false;
      return span(memref) <= INT32_MAX;
    }
    return !isIndex(value.getType()) ||
           (low(value) >= INT32_MIN && high(value) <= INT32_MAX);
  }

  bool lastFits(scf::ForOp loop) const {
    return high(loop.getUpperBound()) <= INT32_MAX &&
           high(loop.getStep()) <= INT32_MAX &&
           high(loop.getUpperBound()) + high(loop.getStep()) - 1 <= INT32_MAX;
  }

  DataFlowSolver &solver;
};
} // namespace

unsigned kernelskill::chooseIndexBitwidth(gpu::GPUModuleOp kernels) {
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(kernels)))
    return 64;
  Narrowness narrowness(solver);
  WalkResult result = kernels.walk([&](Operation *op) {
    return narrowness.holds(op) ? WalkResult::advance()
                                : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? 64 : 32;
}
