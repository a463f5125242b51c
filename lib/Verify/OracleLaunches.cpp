// Loops of an oracle's linalg ops, in the form that upstream's GPU mapping
// takes. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

namespace kernelskill {
#define GEN_PASS_DEF_ORACLELAUNCHES
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// A copy that a plan can't do as one move of bytes.
bool isStrided(memref::CopyOp copy) {
  return llvm::any_of(copy->getOperandTypes(), [](Type type) {
    return !cast<MemRefType>(type).getLayout().isIdentity();
  });
}

// One loop over all iterations, the last loop of the nest fastest.
scf::ParallelOp collapse(scf::ParallelOp nest, ArrayRef<int64_t> sizes,
                         RewriterBase &rewriter) {
  Location loc = nest.getLoc();
  rewriter.setInsertionPoint(nest);
  int64_t total = 1;
  for (int64_t size : sizes)
    total *= size;
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value end = arith::ConstantIndexOp::create(rewriter, loc, total);
  auto flat = scf::ParallelOp::create(rewriter, loc, zero, end, one);
  rewriter.setInsertionPointToStart(flat.getBody());
  SmallVector<Value> indices(flat.getInductionVars());
  if (sizes.size() > 1) {
    auto split = affine::AffineDelinearizeIndexOp::create(
        rewriter, loc, indices.front(), sizes);
    indices.assign(split.result_begin(), split.result_end());
  }
  rewriter.eraseOp(nest.getBody()->getTerminator());
  rewriter.inlineBlockBefore(nest.getBody(), flat.getBody()->getTerminator(),
                             indices);
  rewriter.eraseOp(nest);
  return flat;
}

struct OracleLaunches : kernelskill::impl::OracleLaunchesBase<OracleLaunches> {
  LogicalResult lower(linalg::LinalgOp op, RewriterBase &rewriter) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op.getOperation())
            ? cast<linalg::GenericOp>(op.getOperation())
            : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return op.emitError("no general form of '") << op->getName() << "'";
    // Parallel loops outermost, in their order.
    SmallVector<unsigned> order, reductions;
    SmallVector<int64_t> sizes;
    for (auto [loop, type] :
         llvm::enumerate(generic->getIteratorTypesArray())) {
      if (type != utils::IteratorType::parallel) {
        reductions.push_back(loop);
        continue;
      }
      order.push_back(loop);
      sizes.push_back(generic->getStaticLoopRanges()[loop]);
    }
    llvm::append_range(order, reductions);
    if (!llvm::is_sorted(order)) {
      generic = linalg::interchangeGenericOp(rewriter, *generic, order);
      if (failed(generic))
        return op.emitError("loops can't be interchanged");
    }
    if (sizes.empty()) {
      Location loc = generic->getLoc();
      rewriter.setInsertionPoint(*generic);
      Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      auto single = scf::ParallelOp::create(rewriter, loc, zero, one, one);
      rewriter.moveOpBefore(*generic, single.getBody()->getTerminator());
    }
    rewriter.setInsertionPoint(*generic);
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToParallelLoops(rewriter, *generic);
    if (failed(loops))
      return generic->emitError("no loops of '")
             << (*generic)->getName() << "'";
    rewriter.eraseOp(*generic);
    if (!sizes.empty())
      collapse(cast<scf::ParallelOp>(loops->front()), sizes, rewriter);
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) {
      if (isStrided(copy))
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                  copy.getTarget());
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (failed(lower(op, rewriter)))
        return signalPassFailure();
  }
};

} // namespace
