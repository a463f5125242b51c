// Features of one kernel: what the trace of sampled warps adds up to.
#include "KernelSkill/Analysis/Features.h"
#include "KernelSkill/Analysis/TimeEstimate.h"
#include "KernelTrace.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

/// Bytes of shared memory that a block has; nothing if their number is not
/// static.
static std::optional<double> sharedBytes(gpu::GPUFuncOp kernel) {
  auto isShared = [](Attribute space) {
    auto known = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
    auto number = dyn_cast_or_null<IntegerAttr>(space);
    return (known && known.getValue() == gpu::AddressSpace::Workgroup) ||
           (number && number.getInt() == 3);
  };
  auto bytes = [](Type type) {
    auto memref = cast<MemRefType>(type);
    Type element = memref.getElementType();
    unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
    return memref.getNumElements() * llvm::divideCeil(bits, 8);
  };
  double total = 0;
  for (BlockArgument attribution : kernel.getWorkgroupAttributions())
    total += bytes(attribution.getType());
  bool known = true;
  llvm::SmallDenseSet<StringRef> globals;
  kernel.walk([&](Operation *op) {
    known &= !isa<gpu::DynamicSharedMemoryOp>(op);
    if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      if (isShared(global.getType().getMemorySpace()) &&
          globals.insert(global.getName()).second)
        total += bytes(global.getType());
  });
  return known ? std::optional<double>(total) : std::nullopt;
}

/// What the accesses to global memory add up to.
static void setGlobalFeatures(const KernelTotals &totals,
                              FeatureSet &features) {
  Sum used, moved, l2, loads, stores;
  std::map<std::pair<const void *, bool>, std::pair<Value, Sum>> touched;
  for (const auto &[key, access] : totals.accesses) {
    if (access.isShared)
      continue;
    used.add(access.usedBytes.get());
    moved.add(access.sectorBytes.get());
    l2.add(access.l2Bytes.get());
    (access.isStore ? stores : loads).add(access.executions.get());
    auto &[root, bytes] =
        touched[{access.root ? access.root.getAsOpaquePointer() : nullptr,
                 access.isStore}];
    root = access.root;
    bytes.add(access.root ? access.l2Bytes.get() : std::nullopt);
  }
  Sum touchedBytes;
  for (auto &[key, entry] : touched) {
    std::optional<double> bytes = entry.second.get();
    if (auto type = entry.first ? dyn_cast<MemRefType>(entry.first.getType())
                                : MemRefType();
        bytes && type && type.hasStaticShape() &&
        type.getElementType().isIntOrFloat())
      bytes =
          std::min(*bytes, type.getNumElements() *
                               std::ceil(type.getElementTypeBitWidth() / 8.0));
    touchedBytes.add(bytes);
  }
  auto perWarp = [&](const Sum &sum) {
    auto value = sum.get();
    return value ? std::optional<double>(*value / totals.warps) : std::nullopt;
  };
  features.set(Feature::UsedBytes, used.get());
  features.set(Feature::MovedBytes, moved.get());
  features.set(Feature::L2Bytes, l2.get());
  features.set(Feature::TouchedBytes, touchedBytes.get());
  features.set(Feature::GlobalLoadsPerThread, perWarp(loads));
  features.set(Feature::GlobalStoresPerThread, perWarp(stores));
  if (used.get() && moved.get() && *moved.get() > 0)
    features.set(Feature::CoalescedFraction,
                 std::min(1.0, *used.get() / *moved.get()));
  if (used.get() && touchedBytes.get())
    features.set(Feature::Reuse, *used.get() > 1.5 * *touchedBytes.get());
  // Hot: a tenth of all that is moved, or more; all of them if that is unknown.
  std::optional<double> width, stride;
  for (const auto &[key, access] : totals.accesses) {
    if (access.isShared ||
        (moved.get() && *access.sectorBytes.get() < 0.1 * *moved.get()))
      continue;
    if (!access.isStore)
      width = std::min<double>(width.value_or(access.widthBytes),
                               access.widthBytes);
    if (access.laneStride && moved.get())
      stride = std::max(stride.value_or(0), *access.laneStride);
  }
  features.set(Feature::LoadWidthBytes, width);
  features.set(Feature::LaneStrideBytes, stride);
}

static void setSharedFeatures(const KernelTotals &totals,
                              FeatureSet &features) {
  Sum wavefronts;
  std::optional<double> degree;
  for (const auto &[key, access] : totals.accesses) {
    if (!access.isShared)
      continue;
    wavefronts.add(access.wavefronts.get());
    if (access.conflictDegree)
      degree = std::max(degree.value_or(1), *access.conflictDegree);
  }
  if (auto sum = wavefronts.get())
    features.set(Feature::SharedWavefronts, *sum / totals.warps);
  features.set(Feature::BankConflictDegree, degree);
}

FeatureSet kernelskill::extractKernelFeatures(gpu::GPUFuncOp kernel,
                                              const Chip &chip,
                                              const FeatureSet &binary) {
  FeatureSet features;
  if (auto dispatch = kernel->getAttrOfType<DispatchAttr>(kDispatchAttr))
    features.set(Feature::Kind, static_cast<double>(dispatch.getKind()));
  else
    features.set(Feature::Kind, static_cast<double>(DispatchKind::Kernel));
  features.merge(binary);
  features.set(Feature::SharedBytes, sharedBytes(kernel));
  features.set(Feature::LaunchBounded, kernel->hasAttr("nvvm.maxntid") ||
                                           kernel->hasAttr("nvvm.reqntid") ||
                                           kernel->hasAttr("nvvm.maxnreg") ||
                                           kernel->hasAttr("nvvm.minctasm"));
  bool transcendentals = false;
  kernel.walk([&](Operation *op) { transcendentals |= isTranscendental(op); });
  features.set(Feature::Transcendentals, transcendentals);
  auto grid = kernel.getKnownGridSize(), block = kernel.getKnownBlockSize();
  if (!grid || !block)
    return features; // how often anything happens is unknown
  auto dims = [](ArrayRef<int32_t> sizes) {
    return Dim3{sizes[0], sizes[1], sizes[2]};
  };
  Dim3 blocks = dims(*grid), threads = dims(*block);
  features.set(Feature::Blocks, blocks[0] * blocks[1] * blocks[2]);
  features.set(Feature::ThreadsPerBlock, threads[0] * threads[1] * threads[2]);
  estimateOccupancy(features, chip);
  double residentWarps = features.getOr(Feature::Occupancy, 1) *
                         chip.maxThreadsPerMultiprocessor / kWarp;
  KernelTotals totals = traceKernel(kernel, blocks, threads, residentWarps);
  setGlobalFeatures(totals, features);
  setSharedFeatures(totals, features);
  auto perWarp = [&](const Sum &sum) {
    auto value = sum.get();
    return value ? std::optional<double>(*value / totals.warps) : std::nullopt;
  };
  features.set(Feature::Flops, totals.flops.get());
  features.set(Feature::InstructionsPerThread, perWarp(totals.instructions));
  features.set(Feature::Barriers, totals.barriers.get());
  features.set(Feature::MemoryRounds, totals.memoryRounds.get());
  features.set(Feature::LoopDepth, totals.loopDepth);
  estimateTime(features, chip);
  return features;
}
