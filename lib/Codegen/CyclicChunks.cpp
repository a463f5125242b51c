// Redistributes chunked loops; see the header.
//
// The block computes the same set of (thread, i) pairs, only another thread
// computes each of them. So everything in the loop that depends on the thread
// or on i has to do so by way of q = thread * n + i alone, and iterations must
// not depend on each other.
#include "CyclicChunks.h"

#include "Knobs.h"
#include "LinearIndex.h"
#include "Refinement.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kernelskill;

namespace {
/// One loop that may be redistributed, and the operands that then change.
class Chunk {
public:
  Chunk(gpu::GPUFuncOp kernel, scf::ForOp loop, int64_t trips)
      : kernel(kernel), loop(loop), trips(trips) {}
  /// Why it may not, if so.
  llvm::Error check();
  void rewrite(RewriterBase &rewriter, int64_t threads);

private:
  /// Is the value the same for all threads of the block in all iterations?
  bool isUniform(Value value);
  /// Remembers an operand that depends on q, if it depends on nothing else.
  llvm::Error checkIndex(OpOperand &operand);
  llvm::Error checkOp(Operation *op);
  llvm::Error checkStores();

  gpu::GPUFuncOp kernel;
  scf::ForOp loop;
  int64_t trips;
  /// Operands, and the factor of q in each.
  SmallVector<std::pair<OpOperand *, int64_t>> dependent;
};
} // namespace

bool Chunk::isUniform(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (owner == kernel.getOperation())
      return true;
    auto inner = dyn_cast<scf::ForOp>(owner);
    return inner && inner != loop && value == inner.getInductionVar() &&
           isUniform(inner.getLowerBound()) &&
           isUniform(inner.getUpperBound()) && isUniform(inner.getStep());
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op))
    return true;
  return op->getNumRegions() == 0 && isPure(op) &&
         op->getName().getDialectNamespace() != "gpu" &&
         op->getName().getDialectNamespace() != "nvvm" &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isUniform(operand); });
}

llvm::Error Chunk::checkIndex(OpOperand &operand) {
  LinearIndex index = linearIndex(operand.get());
  int64_t thread = index.threadCoefficient(gpu::Dimension::x);
  int64_t iteration = index.coefficient(loop.getInductionVar());
  for (auto [value, factor] : index.terms)
    if (value != loop.getInductionVar() &&
        !isa_and_nonnull<gpu::ThreadIdOp, gpu::GlobalIdOp>(
            value.getDefiningOp()) &&
        !isUniform(value))
      return refusal("an index of '{0}' is not a sum of thread, iteration and "
                     "values that all threads share",
                     operand.getOwner()->getName());
  if (thread != trips * iteration)
    return refusal("an index of '{0}' moves by {1} with the thread and by {2} "
                   "with the iteration, not by {3} and 1 or a multiple of them",
                   operand.getOwner()->getName(), thread, iteration, trips);
  if (iteration == 0)
    return llvm::Error::success();
  if (!operand.get().getType().isIndex())
    return refusal("'{0}' compares numbers of type {1}, not index",
                   operand.getOwner()->getName(), operand.get().getType());
  dependent.push_back({&operand, iteration});
  return llvm::Error::success();
}

llvm::Error Chunk::checkOp(Operation *op) {
  if (isLinearArithmetic(op) || isa<scf::YieldOp>(op))
    return llvm::Error::success(); // seen from what uses it
  std::optional<MemoryAccess> access = memoryAccess(op);
  if (access) {
    auto argument = dyn_cast<BlockArgument>(access->memref);
    if (!argument || argument.getOwner() != &kernel.getBody().front() ||
        cast<MemRefType>(access->memref.getType()).getMemorySpace())
      return refusal("'{0}' accesses what is no argument of the kernel",
                     op->getName());
    for (OpOperand &index : access->indices)
      if (llvm::Error error = checkIndex(index))
        return error;
  } else if (isa<arith::CmpIOp>(op)) {
    for (OpOperand &operand : op->getOpOperands())
      if (llvm::Error error = checkIndex(operand))
        return error;
    return llvm::Error::success();
  } else if (!isa<scf::IfOp, scf::ForOp>(op) && !isPure(op)) {
    return refusal("'{0}' in the loop ties its iterations to threads",
                   op->getName());
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (access && llvm::any_of(access->indices, [&](OpOperand &index) {
          return &index == &operand;
        }))
      continue;
    Value value = operand.get();
    if (isa<MemRefType>(value.getType()))
      continue;
    bool inside = loop.getBodyRegion().isAncestor(value.getParentRegion());
    LinearIndex index = linearIndex(value);
    bool moves = index.threadCoefficient(gpu::Dimension::x) ||
                 index.coefficient(loop.getInductionVar());
    if (moves || (!inside && !isUniform(value)))
      return refusal("'{0}' uses the number of the thread or of the iteration "
                     "other than as an index",
                     op->getName());
  }
  return llvm::Error::success();
}

llvm::Error Chunk::checkStores() {
  // Which memrefs are written, each at one index.
  llvm::SmallMapVector<Value, LinearIndex, 4> written;
  llvm::Error error = llvm::Error::success();
  auto fail = [&](llvm::Error reason) {
    if (!error)
      error = std::move(reason);
    else
      llvm::consumeError(std::move(reason));
  };
  loop.getBody()->walk([&](Operation *op) {
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (!access || !access->isStore)
      return;
    std::optional<LinearIndex> index = access->flatIndex();
    if (!index)
      return fail(refusal("a memref that is written has no static layout"));
    int64_t step = std::abs(index->coefficient(loop.getInductionVar()));
    if (step < access->width)
      return fail(refusal("iterations write overlapping elements"));
    for (auto [value, factor] : index->terms)
      if (value != loop.getInductionVar() &&
          loop.getBodyRegion().isAncestor(value.getParentRegion()))
        return fail(refusal("an iteration writes in an inner loop"));
    written.insert({access->memref, *index});
  });
  kernel.walk([&](Operation *op) {
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (!access || !written.count(access->memref))
      return;
    std::optional<LinearIndex> index = access->flatIndex();
    LinearIndex difference = written[access->memref];
    if (index)
      difference.add(*index, -1);
    if (!index || !loop->isAncestor(op) || difference.constant ||
        !difference.terms.empty())
      fail(refusal("what is written is accessed at another index too"));
  });
  return error;
}

llvm::Error Chunk::check() {
  llvm::Error error = llvm::Error::success();
  loop.getBody()->walk([&](Operation *op) {
    if (llvm::Error reason = checkOp(op)) {
      llvm::consumeError(std::move(error));
      error = std::move(reason);
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  if (error)
    return error;
  if (llvm::Error stores = checkStores())
    return stores;
  if (dependent.empty())
    return refusal("nothing in the loop depends on the thread");
  return llvm::Error::success();
}

void Chunk::rewrite(RewriterBase &rewriter, int64_t threads) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPointToStart(loop.getBody());
  // q moves from thread * n + i to i * T + thread.
  auto scaled = [&](Value value, int64_t factor) -> Value {
    Value by = arith::ConstantIndexOp::create(rewriter, loc, factor);
    return arith::MulIOp::create(rewriter, loc, value, by);
  };
  Value thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
  Value move = arith::SubIOp::create(
      rewriter, loc, scaled(loop.getInductionVar(), threads - 1),
      scaled(thread, trips - 1));
  for (auto [operand, factor] : dependent) {
    Operation *user = operand->getOwner();
    rewriter.setInsertionPoint(user);
    Value moved =
        arith::AddIOp::create(rewriter, loc, operand->get(),
                              factor == 1 ? move : scaled(move, factor));
    rewriter.modifyOpInPlace(user,
                             [&, operand = operand] { operand->set(moved); });
  }
}

llvm::Error kernelskill::distributeChunks(RewriterBase &rewriter,
                                          gpu::GPUFuncOp kernel) {
  llvm::Expected<std::array<int64_t, 3>> block = blockSize(kernel);
  if (!block)
    return block.takeError();
  if ((*block)[0] == 1 || (*block)[1] != 1 || (*block)[2] != 1)
    return refusal("the block is not one-dimensional");
  llvm::Error reason = refusal("no loop runs over a thread's own chunk");
  bool any = false;
  for (auto loop :
       llvm::to_vector(kernel.getBody().front().getOps<scf::ForOp>())) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->ule(1) || trips->ugt(1 << 20) ||
        loop.getNumRegionIterArgs() != 0 ||
        getConstantIntValue(loop.getLowerBound()) != 0 ||
        getConstantIntValue(loop.getStep()) != 1)
      continue;
    Chunk chunk(kernel, loop, trips->getZExtValue());
    if (llvm::Error error = chunk.check()) {
      llvm::consumeError(std::move(reason));
      reason = std::move(error);
      continue;
    }
    chunk.rewrite(rewriter, (*block)[0]);
    any = true;
  }
  if (!any)
    return reason;
  llvm::consumeError(std::move(reason));
  return llvm::Error::success();
}
