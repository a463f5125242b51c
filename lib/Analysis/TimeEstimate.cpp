// The analytic time model; docs/policy.md states it in words.
#include "KernelSkill/Analysis/TimeEstimate.h"

#include "llvm/Support/MathExtras.h"

using namespace kernelskill;

namespace {
constexpr double kWarpSize = 32;
// Cycles until a load's data is there.
constexpr double kDramNs = 600, kL2Ns = 270;
constexpr double kSchedulers = 4; // warps that issue at once
constexpr double kBarrierCycles = 40;
constexpr double kReservedShared = 1024; // of each block, by the system
constexpr double kRegisterUnit = 256; // registers are given to warps in these
} // namespace

static double warpsPerBlock(const FeatureSet &kernel) {
  return std::ceil(kernel.getOr(Feature::ThreadsPerBlock, 1) / kWarpSize);
}

void kernelskill::estimateOccupancy(FeatureSet &kernel, const Chip &chip) {
  if (!kernel.has(Feature::ThreadsPerBlock) || !kernel.has(Feature::Blocks))
    return;
  double warps = warpsPerBlock(kernel);
  double maxWarps = chip.maxThreadsPerMultiprocessor / kWarpSize;
  double fit = std::min<double>(chip.maxBlocksPerMultiprocessor,
                                std::floor(maxWarps / warps));
  if (auto shared = kernel.get(Feature::SharedBytes))
    fit = std::min(fit, std::floor(chip.sharedPerMultiprocessor /
                                   (*shared + kReservedShared)));
  if (auto registers = kernel.get(Feature::RegistersPerThread)) {
    double perWarp =
        std::ceil(*registers * kWarpSize / kRegisterUnit) * kRegisterUnit;
    if (perWarp > 0)
      fit = std::min(
          fit, std::floor(chip.registersPerMultiprocessor / (perWarp * warps)));
  }
  if (fit < 1)
    return;
  kernel.set(Feature::BlocksPerMultiprocessor, fit);
  kernel.set(Feature::Occupancy, fit * warps / maxWarps);
  kernel.set(Feature::Waves,
             kernel.getOr(Feature::Blocks, 0) / (fit * chip.multiprocessors));
}

/// Sets a term if all its inputs are known.
static void setTerm(FeatureSet &kernel, Feature term,
                    std::initializer_list<Feature> inputs,
                    llvm::function_ref<double()> formula) {
  kernel.set(term,
             llvm::all_of(inputs, [&](Feature f) { return kernel.has(f); })
                 ? std::optional<double>(formula())
                 : std::nullopt);
}

void kernelskill::estimateTime(FeatureSet &kernel, const Chip &chip) {
  auto get = [&](Feature feature) { return kernel.getOr(feature, 0); };
  double blocks = get(Feature::Blocks);
  double warps = warpsPerBlock(kernel) * blocks;
  double clock = chip.clockGHz * 1e3; // cycles a microsecond
  // Multiprocessors that have work, and how evenly: the last wave counts whole.
  double busy = std::min<double>(blocks, chip.multiprocessors);
  double blocksAMultiprocessor = std::ceil(blocks / chip.multiprocessors);
  double uneven = blocks > 0 ? blocksAMultiprocessor * busy / blocks : 1;
  double perWarpCycle = uneven / (busy * clock);

  setTerm(kernel, Feature::DramTime, {Feature::TouchedBytes}, [&] {
    return get(Feature::TouchedBytes) / chip.dramBytesPerSecond * 1e6;
  });
  setTerm(kernel, Feature::L2Time, {Feature::L2Bytes}, [&] {
    return get(Feature::L2Bytes) * uneven * chip.multiprocessors /
           (busy * chip.l2BytesPerSecond) * 1e6;
  });
  setTerm(kernel, Feature::ComputeTime, {Feature::Flops}, [&] {
    return get(Feature::Flops) * uneven * chip.multiprocessors /
           (busy * chip.fp32FlopsPerSecond) * 1e6;
  });
  setTerm(kernel, Feature::IssueTime, {Feature::InstructionsPerThread}, [&] {
    return get(Feature::InstructionsPerThread) * warps * perWarpCycle /
           kSchedulers;
  });
  setTerm(kernel, Feature::SharedTime, {Feature::SharedWavefronts}, [&] {
    return get(Feature::SharedWavefronts) * warps * perWarpCycle;
  });
  double waves = std::max(1.0, std::ceil(get(Feature::Waves) - 1e-9));
  setTerm(kernel, Feature::LatencyTime,
          {Feature::MemoryRounds, Feature::Waves, Feature::TouchedBytes}, [&] {
            double ns =
                get(Feature::TouchedBytes) > chip.l2Bytes ? kDramNs : kL2Ns;
            return get(Feature::MemoryRounds) * waves * ns / 1e3;
          });
  setTerm(kernel, Feature::SyncTime, {Feature::Barriers, Feature::Waves}, [&] {
    return get(Feature::Barriers) * waves * kBarrierCycles / clock;
  });
  kernel.set(Feature::LaunchTime, kLaunchUs);

  if (kernel.has(Feature::MemoryRounds) && kernel.has(Feature::L2Bytes) &&
      kernel.has(Feature::MemoryRounds))
    kernel.set(
        Feature::BytesInFlight,
        get(Feature::MemoryRounds) > 0 && waves > 0
            ? std::optional<double>(get(Feature::L2Bytes) /
                                    (get(Feature::MemoryRounds) * waves * busy))
            : std::nullopt);

  setTerm(kernel, Feature::EstimatedTime,
          {Feature::DramTime, Feature::L2Time, Feature::IssueTime,
           Feature::LatencyTime},
          [&] {
            double longest = 0;
            for (Feature term : {Feature::DramTime, Feature::L2Time,
                                 Feature::ComputeTime, Feature::IssueTime,
                                 Feature::SharedTime, Feature::LatencyTime})
              longest = std::max(longest, get(term));
            return longest + get(Feature::SyncTime) + kLaunchUs;
          });
}

std::optional<double> kernelskill::rooflineUs(const FeatureSet &work,
                                              const Chip &chip) {
  auto bytes = work.get(Feature::MinBytes);
  if (!bytes)
    return std::nullopt;
  return 1e6 *
         std::max(*bytes / chip.dramBytesPerSecond,
                  work.getOr(Feature::Flops, 0) / chip.fp32FlopsPerSecond);
}
