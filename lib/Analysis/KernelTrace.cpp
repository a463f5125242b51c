// Walks a kernel as a few of its warps would run it; see the header.
#include "KernelTrace.h"
#include "OperationCost.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

namespace {
constexpr int64_t kSector = 32;
constexpr double kL1Bytes = 128 * 1024;
constexpr double kUnroll = 4; // what ptxas does to short loops

/// What an op reads or writes, one lane at a time.
struct MemoryOperand {
  Value memref;
  OperandRange indices;
  Type type;
  bool isStore;
};

using Count = std::optional<double>;

Count times(Count a, Count b) { return a && b ? Count(*a * *b) : std::nullopt; }
} // namespace

static SmallVector<MemoryOperand, 2> memoryOperands(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return {{load.getMemRef(), load.getIndices(), load.getType(), false}};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return {{store.getMemRef(), store.getIndices(),
             store.getValueToStore().getType(), true}};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return {{load.getBase(), load.getIndices(), load.getType(), false}};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return {{store.getBase(), store.getIndices(),
             store.getValueToStore().getType(), true}};
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return {{load.getBase(), load.getIndices(), load.getType(), false}};
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return {{store.getBase(), store.getIndices(),
             store.getValueToStore().getType(), true}};
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return {{read.getBase(), read.getIndices(), read.getType(), false}};
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return {{write.getBase(), write.getIndices(),
             write.getValueToStore().getType(), true}};
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return {{atomic.getMemref(), atomic.getIndices(), atomic.getType(), true}};
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    Type element = cast<MemRefType>(copy.getSrc().getType()).getElementType();
    auto type =
        VectorType::get({copy.getDstElements().getSExtValue()}, element);
    return {{copy.getSrc(), copy.getSrcIndices(), type, false},
            {copy.getDst(), copy.getDstIndices(), type, true}};
  }
  return {};
}

static unsigned bytesOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto shaped = dyn_cast<VectorType>(type);
  return llvm::divideCeil(bits, 8) * (shaped ? shaped.getNumElements() : 1);
}

namespace {
enum class Space { Global, Shared, Private };
} // namespace

static Space spaceOf(Value memref) {
  Attribute space = cast<MemRefType>(memref.getType()).getMemorySpace();
  if (auto known = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return known.getValue() == gpu::AddressSpace::Workgroup ? Space::Shared
           : known.getValue() == gpu::AddressSpace::Private ? Space::Private
                                                            : Space::Global;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt() == 3   ? Space::Shared
           : number.getInt() == 5 ? Space::Private
                                  : Space::Global;
  if (isa_and_nonnull<memref::AllocaOp>(memref.getDefiningOp()))
    return Space::Private;
  return Space::Global;
}

//===----------------------------------------------------------------------===//
// One access of one warp
//===----------------------------------------------------------------------===//

namespace {
struct WarpAccess {
  double usedBytes = 0, sectorBytes = 0, wavefronts = 0;
  std::optional<double> laneStride;
  double conflictDegree = 1;
};
} // namespace

/// Distinct words that the lanes want from the same bank, at most, in phases of
/// 128 bytes.
static void countConflicts(const Lanes &bytes, uint32_t mask, unsigned width,
                           WarpAccess &access) {
  unsigned lanesAPhase = std::max(1u, kWarp / std::max(1u, width / 4));
  for (unsigned first = 0; first < kWarp; first += lanesAPhase) {
    std::array<llvm::SmallSet<int64_t, 4>, 32> banks;
    unsigned degree = 0;
    for (unsigned lane = first; lane < first + lanesAPhase; ++lane) {
      if (!(mask >> lane & 1))
        continue;
      for (int64_t word = bytes[lane] / 4;
           word <= (bytes[lane] + width - 1) / 4; ++word) {
        auto &bank = banks[word % 32];
        bank.insert(word);
        degree = std::max<unsigned>(degree, bank.size());
      }
    }
    access.wavefronts += degree;
    access.conflictDegree = std::max<double>(access.conflictDegree, degree);
  }
}

static WarpAccess measure(const Lanes &bytes, uint32_t mask, unsigned width,
                          bool isShared) {
  WarpAccess access;
  std::optional<int64_t> previous;
  if (isShared)
    countConflicts(bytes, mask, width, access);
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  llvm::SmallSet<int64_t, 32> sectors;
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    if (!(mask >> lane & 1)) {
      previous.reset();
      continue;
    }
    if (previous)
      access.laneStride =
          std::max(access.laneStride.value_or(0),
                   static_cast<double>(std::abs(bytes[lane] - *previous)));
    previous = bytes[lane];
    ranges.push_back({bytes[lane], bytes[lane] + width});
    for (int64_t sector = llvm::divideFloorSigned(bytes[lane], kSector);
         sector <= llvm::divideFloorSigned(bytes[lane] + width - 1, kSector);
         ++sector)
      sectors.insert(sector);
  }
  llvm::sort(ranges);
  int64_t end = std::numeric_limits<int64_t>::min();
  for (auto [low, high] : ranges) {
    access.usedBytes += std::max<int64_t>(0, high - std::max(low, end));
    end = std::max(end, high);
  }
  access.sectorBytes = static_cast<double>(sectors.size()) * kSector;
  return access;
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class WarpWalk {
public:
  WarpWalk(WarpEvaluator evaluator, double weight, double residentWarps,
           KernelTotals &totals)
      : evaluator(std::move(evaluator)), weight(weight),
        residentWarps(residentWarps), totals(totals) {}

  void region(Region &region, Count executions, uint32_t mask) {
    // Of several blocks, only the first is known to run once.
    for (Block &block : region)
      walk(block,
           region.hasOneBlock() || block.isEntryBlock() ? executions
                                                        : std::nullopt,
           mask);
  }

private:
  void walk(Block &block, Count executions, uint32_t mask);
  void loop(scf::ForOp op, Count executions, uint32_t mask);
  void branch(scf::IfOp op, Count executions, uint32_t mask);
  void access(Operation *op, Count executions, uint32_t mask);
  double rounds(Block &block);
  Count keptByL1(Value memref, OperandRange indices, const Lanes &now,
                 double sectorBytes);
  bool isUnrolled(scf::ForOp loop, Count trips);

  struct OpenLoop {
    scf::ForOp op;
    Lanes next; // the second iteration's induction variable
    Count trips;
  };
  WarpEvaluator evaluator;
  double weight, residentWarps;
  KernelTotals &totals;
  std::vector<OpenLoop> loops;

public:
  // Of this warp.
  Sum memoryRounds, barriers;
};
} // namespace

/// How often a thread waits for memory in one run of the block: loads in a row
/// that don't need one another are one wait.
double WarpWalk::rounds(Block &block) {
  llvm::SmallPtrSet<Value, 8> pending;
  double waits = 0;
  for (Operation &op : block) {
    bool uses = false;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        uses |= pending.contains(operand);
    });
    if (uses) {
      ++waits;
      pending.clear();
    }
    for (const MemoryOperand &operand : memoryOperands(&op))
      if (!operand.isStore && spaceOf(operand.memref) == Space::Global)
        pending.insert(op.getResults().begin(), op.getResults().end());
  }
  return waits + !pending.empty();
}

/// Short loops without barriers are unrolled, and their loads go first.
bool WarpWalk::isUnrolled(scf::ForOp loop, Count trips) {
  WalkResult plain = loop.getBody()->walk([](Operation *op) {
    return isa<scf::ForOp, scf::WhileOp, gpu::BarrierOp>(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !plain.wasInterrupted() && trips && *trips >= kUnroll;
}

void WarpWalk::walk(Block &block, Count executions, uint32_t mask) {
  double waits = rounds(block);
  if (!loops.empty() && isUnrolled(loops.back().op, loops.back().trips))
    waits /= kUnroll;
  Count weighted = times(executions, weight);
  memoryRounds.add(waits == 0 ? Count(0) : times(executions, waits));
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    totals.instructions.add(times(weighted, instructionsOf(&op)));
    if (double flops = flopsOf(&op))
      totals.flops.add(times(weighted, flops * llvm::popcount(mask)));
    if (isa<gpu::BarrierOp>(op))
      barriers.add(executions);
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      loop(inner, executions, mask);
    } else if (auto inner = dyn_cast<scf::IfOp>(op)) {
      branch(inner, executions, mask);
    } else if (!memoryOperands(&op).empty()) {
      access(&op, executions, mask);
    } else {
      // A region that runs an unknown number of times.
      for (Region &inner : op.getRegions())
        region(inner, std::nullopt, mask);
    }
  }
}

void WarpWalk::loop(scf::ForOp op, Count executions, uint32_t mask) {
  auto low = evaluator.evaluate(op.getLowerBound());
  auto high = evaluator.evaluate(op.getUpperBound());
  auto step = evaluator.evaluate(op.getStep());
  Count trips;
  OpenLoop open{op, {}, {}};
  if (low && high && step) {
    int64_t most = 0;
    uint32_t entered = 0;
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      if (!(mask >> lane & 1) || (*step)[lane] <= 0)
        continue;
      int64_t count = std::max<int64_t>(
          0,
          llvm::divideCeilSigned((*high)[lane] - (*low)[lane], (*step)[lane]));
      most = std::max(most, count);
      entered |= (count > 0 ? 1u : 0u) << lane;
    }
    if (most == 0)
      return;
    trips = most;
    mask = entered;
    open.trips = trips;
    for (unsigned lane = 0; lane < kWarp; ++lane)
      open.next[lane] = (*low)[lane] + (*step)[lane];
    evaluator.bind(op.getInductionVar(), *low);
    loops.push_back(open);
  }
  // Counter and branch.
  totals.instructions.add(times(times(executions, weight), times(trips, 2.0)));
  unsigned depth = 1;
  for (Operation *up = op->getParentOp(); up; up = up->getParentOp())
    depth += isa<scf::ForOp>(up);
  totals.loopDepth = std::max(totals.loopDepth, depth);
  walk(*op.getBody(), times(executions, trips), mask);
  if (trips)
    loops.pop_back();
}

void WarpWalk::branch(scf::IfOp op, Count executions, uint32_t mask) {
  auto condition = evaluator.evaluate(op.getCondition());
  uint32_t yes = mask, no = mask;
  if (condition)
    for (unsigned lane = 0; lane < kWarp; ++lane)
      ((*condition)[lane] ? no : yes) &= ~(1u << lane);
  if (yes)
    walk(op.getThenRegion().front(), executions, yes);
  if (no && op.elseBlock())
    walk(*op.elseBlock(), executions, no);
}

/// The share of the access's sectors that the innermost loop's previous
/// iteration has left in L1, where all resident warps' sectors fit in it.
Count WarpWalk::keptByL1(Value memref, OperandRange indices, const Lanes &now,
                         double sectorBytes) {
  if (loops.empty() || loops.back().trips.value_or(0) < 2 ||
      sectorBytes * residentWarps > kL1Bytes)
    return 0;
  WarpEvaluator later = evaluator;
  later.bind(loops.back().op.getInductionVar(), loops.back().next);
  auto next = later.address(memref, indices);
  if (!next)
    return std::nullopt;
  double step = std::abs(static_cast<double>(next->bytes[0] - now[0]));
  double fresh = std::min(1.0, step / kSector);
  return 1 - std::max(fresh, 1 / *loops.back().trips);
}

void WarpWalk::access(Operation *op, Count executions, uint32_t mask) {
  Count weighted = times(executions, weight);
  for (const MemoryOperand &operand : memoryOperands(op)) {
    Space space = spaceOf(operand.memref);
    if (space == Space::Private)
      continue;
    AccessTotals &entry = totals.accesses[{op, operand.isStore}];
    entry.isStore = operand.isStore;
    entry.isShared = space == Space::Shared;
    entry.widthBytes = bytesOf(operand.type);
    entry.executions.add(weighted);
    auto address = evaluator.address(operand.memref, operand.indices);
    if (!address) {
      entry.usedBytes.add(std::nullopt);
      entry.sectorBytes.add(std::nullopt);
      entry.l2Bytes.add(std::nullopt);
      entry.wavefronts.add(std::nullopt);
      continue;
    }
    entry.root = address->root;
    WarpAccess one =
        measure(address->bytes, mask, entry.widthBytes, entry.isShared);
    if (one.laneStride)
      entry.laneStride =
          std::max(entry.laneStride.value_or(0), *one.laneStride);
    if (entry.isShared) {
      entry.conflictDegree =
          std::max(entry.conflictDegree.value_or(1), one.conflictDegree);
      entry.wavefronts.add(times(weighted, one.wavefronts));
      continue;
    }
    entry.usedBytes.add(times(weighted, one.usedBytes));
    entry.sectorBytes.add(times(weighted, one.sectorBytes));
    Count kept = keptByL1(operand.memref, operand.indices, address->bytes,
                          one.sectorBytes);
    entry.l2Bytes.add(times(times(weighted, one.sectorBytes),
                            kept ? Count(1 - *kept) : std::nullopt));
  }
}

/// Indices of a few of `count` things, with the number that each stands for.
static SmallVector<std::pair<int64_t, double>> sample(int64_t count) {
  if (count <= 2) {
    SmallVector<std::pair<int64_t, double>> all;
    for (int64_t i = 0; i < count; ++i)
      all.push_back({i, 1});
    return all;
  }
  return {{0, 1}, {count / 2, count - 2.0}, {count - 1, 1}};
}

KernelTotals kernelskill::traceKernel(gpu::GPUFuncOp kernel, Dim3 grid,
                                      Dim3 block, double residentWarps) {
  KernelTotals totals;
  int64_t blocks = grid[0] * grid[1] * grid[2];
  int64_t warps = llvm::divideCeil(block[0] * block[1] * block[2], kWarp);
  totals.warps = static_cast<double>(blocks) * warps;
  for (auto [blockIndex, blockWeight] : sample(blocks))
    for (auto [warp, warpWeight] : sample(warps)) {
      WarpEvaluator evaluator(grid, block, blockIndex, warp);
      uint32_t mask = evaluator.mask();
      WarpWalk walk(std::move(evaluator), blockWeight * warpWeight,
                    residentWarps, totals);
      walk.region(kernel.getBody(), 1.0, mask);
      totals.memoryRounds.take(walk.memoryRounds);
      totals.barriers.take(walk.barriers);
    }
  return totals;
}
