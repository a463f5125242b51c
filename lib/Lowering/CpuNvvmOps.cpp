// Operations of the NVVM dialect on the CPU device: special registers from the
// thread's record, everything that involves other threads as a call.
#include "CpuKernels.h"

#include "KernelSkill/Runtime/CpuAbi.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <cstddef>

using namespace mlir;
using namespace kernelskill;

namespace {
/// Builds i32 arithmetic before an operation.
class Registers {
public:
  Registers(Operation *op, Value thread)
      : builder(op), location(op->getLoc()), thread(thread) {}

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                    int64_t(value));
  }
  /// A 32-bit word of the thread's record; it never changes while the thread
  /// runs.
  Value word(size_t offset) {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value address =
        LLVM::GEPOp::create(builder, location, pointer, builder.getI8Type(),
                            thread, LLVM::GEPArg(int32_t(offset)));
    auto load =
        LLVM::LoadOp::create(builder, location, builder.getI32Type(), address);
    load.setInvariant(true);
    return load;
  }
  Value threadId(unsigned dimension) {
    return word(offsetof(KsThread, threadId) + 4 * dimension);
  }
  Value blockDim(unsigned dimension) {
    return word(offsetof(KsThread, blockDim) + 4 * dimension);
  }
  template <typename Op>
  Value make(Value left, Value right) {
    return Op::create(builder, location, left, right);
  }
  /// x + dim.x * (y + dim.y * z)
  Value linearThread() {
    Value rows = make<LLVM::AddOp>(threadId(1),
                                   make<LLVM::MulOp>(blockDim(1), threadId(2)));
    return make<LLVM::AddOp>(threadId(0), make<LLVM::MulOp>(blockDim(0), rows));
  }
  Value lane() { return make<LLVM::AndOp>(linearThread(), constant(31)); }
  Value warp() { return make<LLVM::LShrOp>(linearThread(), constant(5)); }
  /// The lanes below this one.
  Value lower() {
    return make<LLVM::SubOp>(make<LLVM::ShlOp>(constant(1), lane()),
                             constant(1));
  }
  Value invert(Value mask) { return make<LLVM::XOrOp>(mask, constant(-1)); }
  Value own() { return make<LLVM::ShlOp>(constant(1), lane()); }

private:
  OpBuilder builder;
  Location location;
  Value thread;
};
} // namespace

/// The value of a special register, or null for one that the CPU has not.
static Value readRegister(Operation *op, Registers &registers) {
  using namespace NVVM;
  auto field = [&](size_t base, unsigned dimension) {
    return registers.word(base + 4 * dimension);
  };
  constexpr size_t block = offsetof(KsThread, blockId);
  constexpr size_t grid = offsetof(KsThread, gridDim);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](ThreadIdXOp) { return registers.threadId(0); })
      .Case([&](ThreadIdYOp) { return registers.threadId(1); })
      .Case([&](ThreadIdZOp) { return registers.threadId(2); })
      .Case([&](BlockIdXOp) { return field(block, 0); })
      .Case([&](BlockIdYOp) { return field(block, 1); })
      .Case([&](BlockIdZOp) { return field(block, 2); })
      .Case([&](BlockDimXOp) { return registers.blockDim(0); })
      .Case([&](BlockDimYOp) { return registers.blockDim(1); })
      .Case([&](BlockDimZOp) { return registers.blockDim(2); })
      .Case([&](GridDimXOp) { return field(grid, 0); })
      .Case([&](GridDimYOp) { return field(grid, 1); })
      .Case([&](GridDimZOp) { return field(grid, 2); })
      .Case([&](WarpSizeOp) { return registers.constant(32); })
      .Case([&](LaneIdOp) { return registers.lane(); })
      .Case([&](WarpIdOp) { return registers.warp(); })
      .Case([&](LaneMaskEqOp) { return registers.own(); })
      .Case([&](LaneMaskLtOp) { return registers.lower(); })
      .Case([&](LaneMaskGeOp) { return registers.invert(registers.lower()); })
      .Case([&](LaneMaskLeOp) {
        return registers.make<LLVM::OrOp>(registers.lower(), registers.own());
      })
      .Case([&](LaneMaskGtOp) {
        return registers.invert(
            registers.make<LLVM::OrOp>(registers.lower(), registers.own()));
      })
      .Default([](Operation *) { return Value(); });
}

static void replaceShuffle(NVVM::ShflOp op, CpuCalls &calls) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Type i32 = builder.getI32Type(), i8 = builder.getI8Type();
  auto pointer = LLVM::LLVMPointerType::get(op.getContext());
  unsigned mode = 0;
  switch (op.getKind()) {
  case NVVM::ShflKind::idx:
    mode = 0;
    break;
  case NVVM::ShflKind::up:
    mode = 1;
    break;
  case NVVM::ShflKind::down:
    mode = 2;
    break;
  case NVVM::ShflKind::bfly:
    mode = 3;
    break;
  }
  Type type = op.getVal().getType();
  Value value = op.getVal();
  if (type != i32)
    value = LLVM::BitcastOp::create(builder, location, i32, value);
  Value valid;
  if (op.getReturnValueAndIsValid()) {
    OpBuilder::InsertionGuard guard(builder);
    auto kernel = op->getParentOfType<LLVM::LLVMFuncOp>();
    builder.setInsertionPointToStart(&kernel.getBody().front());
    Value one = LLVM::ConstantOp::create(builder, location, i32, int64_t(1));
    valid = LLVM::AllocaOp::create(builder, location, pointer, i8, one);
  } else {
    valid = LLVM::ZeroOp::create(builder, location, pointer);
  }
  Value modeValue =
      LLVM::ConstantOp::create(builder, location, i32, int64_t(mode));
  Value result = calls.call("ks_cpu_shuffle", i32,
                            {op.getThreadMask(), value, op.getOffset(),
                             op.getMaskAndClamp(), modeValue, valid},
                            op);
  if (type != i32)
    result = LLVM::BitcastOp::create(builder, location, type, result);
  if (op.getReturnValueAndIsValid()) {
    Value byte = LLVM::LoadOp::create(builder, location, i8, valid);
    Value inRange =
        LLVM::TruncOp::create(builder, location, builder.getI1Type(), byte);
    Value pair = LLVM::PoisonOp::create(builder, location, op.getType());
    pair = LLVM::InsertValueOp::create(builder, location, pair, result,
                                       ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(builder, location, pair, inRange,
                                         ArrayRef<int64_t>{1});
  }
  op.replaceAllUsesWith(result);
}

static void replaceVote(NVVM::VoteSyncOp op, CpuCalls &calls) {
  OpBuilder builder(op);
  Location location = op.getLoc();
  Type i32 = builder.getI32Type();
  unsigned mode = 0;
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::ballot:
    mode = 0;
    break;
  case NVVM::VoteSyncKind::any:
    mode = 1;
    break;
  case NVVM::VoteSyncKind::all:
    mode = 2;
    break;
  case NVVM::VoteSyncKind::uni:
    mode = 3;
    break;
  }
  Value predicate = LLVM::ZExtOp::create(builder, location, i32, op.getPred());
  Value modeValue =
      LLVM::ConstantOp::create(builder, location, i32, int64_t(mode));
  Value result =
      calls.call("ks_cpu_vote", i32, {op.getMask(), predicate, modeValue}, op);
  if (op.getType() != i32)
    result = LLVM::TruncOp::create(builder, location, op.getType(), result);
  op.replaceAllUsesWith(result);
}

/// Barrier 0 with all threads of the block; the other barriers aren't there.
static bool isBlockBarrier(Operation *op) {
  if (isa<NVVM::Barrier0Op>(op))
    return true;
  auto barrier = dyn_cast<NVVM::BarrierOp>(op);
  return barrier && !barrier.getNumberOfThreads() &&
         !barrier.getReductionOp() &&
         (!barrier.getBarrierId() ||
          matchPattern(barrier.getBarrierId(), m_Zero()));
}

bool kernelskill::replaceNvvmOp(Operation *op, CpuCalls &calls,
                                CpuKernel &kernel) {
  if (op->getNumResults() == 1) {
    Registers registers(op, calls.getThread());
    if (Value value = readRegister(op, registers)) {
      op->getResult(0).replaceAllUsesWith(value);
      return true;
    }
  }
  if (isBlockBarrier(op))
    calls.call("ks_cpu_barrier", Type(), {}, op);
  else if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op))
    calls.call("ks_cpu_syncwarp", Type(), {sync.getMask()}, op);
  else if (auto shuffle = dyn_cast<NVVM::ShflOp>(op))
    replaceShuffle(shuffle, calls);
  else if (auto vote = dyn_cast<NVVM::VoteSyncOp>(op))
    replaceVote(vote, calls);
  else
    return false;
  kernel.blocking = true;
  return true;
}
