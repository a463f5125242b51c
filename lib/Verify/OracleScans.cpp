// Loops of an oracle's scans: parallel over the lines, in order along each. See
// Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "KernelSkill/IR/KernelSkillOps.h"

namespace kernelskill {
#define GEN_PASS_DEF_ORACLESCANS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// The combination of two scalars by a scan's region.
Value combine(OpBuilder &builder, kernelskill::ScanOp scan, Value accumulator,
              Value element) {
  Block &body = scan.getCombiner().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0), accumulator);
  mapping.map(body.getArgument(1), element);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

struct OracleScans : kernelskill::impl::OracleScansBase<OracleScans> {
  LogicalResult lower(kernelskill::ScanOp scan) {
    auto type = dyn_cast<MemRefType>(scan.getInput().getType());
    if (!type || !type.hasStaticShape())
      return scan.emitError("must read a memref of static shape, but reads ")
             << scan.getInput().getType();
    ImplicitLocOpBuilder b(scan.getLoc(), scan);
    int64_t dimension = scan.getDimension();
    int64_t length = type.getDimSize(dimension), lines = 1;
    SmallVector<int64_t> others;
    for (auto [position, size] : llvm::enumerate(type.getShape()))
      if (static_cast<int64_t>(position) != dimension) {
        others.push_back(size);
        lines *= size;
      }
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, value).getResult();
    };
    Value zero = index(0), one = index(1), last = index(length - 1);
    auto parallel = scf::ParallelOp::create(b, zero, index(lines), one);
    b.setInsertionPointToStart(parallel.getBody());
    SmallVector<Value> position(parallel.getInductionVars());
    if (others.size() > 1) {
      auto split =
          affine::AffineDelinearizeIndexOp::create(b, position.front(), others);
      position.assign(split.result_begin(), split.result_end());
    } else if (others.empty()) {
      position.clear();
    }
    position.insert(position.begin() + dimension, Value());
    Value start = arith::ConstantOp::create(b, scan.getIdentity());
    auto loop =
        scf::ForOp::create(b, zero, index(length), one, ValueRange{start});
    b.setInsertionPointToStart(loop.getBody());
    position[dimension] = loop.getInductionVar();
    if (scan.getReverse())
      position[dimension] =
          arith::SubIOp::create(b, last, loop.getInductionVar());
    Value before = loop.getRegionIterArg(0);
    Value element = memref::LoadOp::create(b, scan.getInput(), position);
    Value after = combine(b, scan, before, element);
    memref::StoreOp::create(b, scan.getExclusive() ? before : after,
                            scan.getInit(), position);
    scf::YieldOp::create(b, after);
    scan.erase();
    return success();
  }

  void runOnOperation() override {
    SmallVector<kernelskill::ScanOp> scans;
    getOperation().walk([&](kernelskill::ScanOp op) { scans.push_back(op); });
    for (kernelskill::ScanOp scan : scans)
      if (failed(lower(scan)))
        return signalPassFailure();
  }
};

} // namespace
