// What holds each dispatch back, and for how long; formulas in docs/policy.md.
#include "KernelSkill/Skills/Policy.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelskill;

namespace {
/// The terms of one kernel, microseconds a launch, 0 where not known: from
/// counters where there are some, else from the model, scaled so that the
/// model's total is the measured time.
struct Terms {
  double time, bound;
  double dram, l2, compute, shared, latency, sync, launch;
  double coalesced, occupancy, waves, idle;
};
} // namespace

static Terms termsOf(const FeatureSet &f, double time, double bound) {
  Terms t;
  t.time = time;
  t.bound = bound;
  double estimate = f.getOr(Feature::EstimatedTime, 0);
  double scale = estimate > 0 ? time / estimate : 1;
  auto term = [&](Feature model, std::optional<Feature> counter = {}) {
    if (counter && f.has(*counter))
      return f.getOr(*counter, 0) / 100 * time;
    return f.getOr(model, 0) * scale;
  };
  t.dram = term(Feature::DramTime, Feature::DramThroughput);
  t.l2 = term(Feature::L2Time, Feature::L2Throughput);
  t.compute =
      f.has(Feature::SmThroughput)
          ? term(Feature::IssueTime, Feature::SmThroughput)
          : std::max(term(Feature::ComputeTime), term(Feature::IssueTime));
  t.shared = term(Feature::SharedTime);
  t.latency = term(Feature::LatencyTime, Feature::LongScoreboardStall);
  t.sync = term(Feature::SyncTime);
  t.launch = f.getOr(Feature::LaunchTime, 0);
  t.coalesced = f.getOr(Feature::CoalescedFraction, 1);
  t.occupancy = f.has(Feature::AchievedOccupancy)
                    ? f.getOr(Feature::AchievedOccupancy, 100) / 100
                    : f.getOr(Feature::Occupancy, 1);
  t.waves = f.getOr(Feature::Waves, 1);
  t.idle = t.waves > 0 ? 1 - t.waves / std::ceil(t.waves) : 0;
  return t;
}

/// Microseconds that a bottleneck holds one launch back.
static double heldBack(Bottleneck bottleneck, const Terms &t) {
  double memory = std::max(t.dram, t.l2);
  switch (bottleneck) {
  case Bottleneck::DramBandwidth:
    return std::max(t.dram, t.l2 * t.coalesced) - t.bound;
  case Bottleneck::UncoalescedAccess:
    return memory * (1 - t.coalesced);
  case Bottleneck::MemoryLatency:
    return t.latency - t.bound;
  case Bottleneck::Occupancy:
    // More could be resident only as far as there are blocks for it.
    return t.waves <= 1 ? 0
                        : t.latency * (1 - std::max(t.occupancy, 1 / t.waves));
  case Bottleneck::LowParallelism:
    return std::max({t.compute, t.shared, t.latency}) * t.idle;
  case Bottleneck::Compute:
    return t.compute - t.bound;
  case Bottleneck::SharedMemory:
    return t.shared - t.bound;
  case Bottleneck::Synchronization:
    return t.sync;
  case Bottleneck::LaunchOverhead:
    return t.launch;
  }
  return 0;
}

/// What the diagnosis had to do without.
static std::vector<std::string> unknownsOf(const DispatchReport &dispatch,
                                           bool isMeasured) {
  std::vector<std::string> unknown;
  auto insert = [&](std::string text) {
    if (!llvm::is_contained(unknown, text))
      unknown.push_back(std::move(text));
  };
  if (!isMeasured)
    insert("time: not measured, the analytic model's estimate is used");
  if (!dispatch.work.has(Feature::BoundTime))
    insert("bound: the bytes that must be moved are not known");
  for (const KernelReport &kernel : dispatch.kernels) {
    const FeatureSet &f = kernel.features;
    if (!f.has(Feature::EstimatedTime))
      insert("kernel '" + kernel.name +
             "': some accesses or trip counts are not known, so there "
             "is no estimate");
    if (!f.has(Feature::RegistersPerThread))
      insert("registers: not assembled, occupancy is taken as if they "
             "did not limit it");
    if (!f.has(Feature::DramThroughput))
      insert("counters: not read, the model's terms are used");
  }
  return unknown;
}

static double sumOf(const std::vector<KernelReport> &kernels, Feature feature) {
  double sum = 0;
  for (const KernelReport &kernel : kernels)
    sum += kernel.features.getOr(feature, 0);
  return sum;
}

/// Time of a kernel in all instances: as measured, else its share of the
/// program's time by estimates, else its estimate; nothing if that is unknown.
static std::optional<double> timeOf(const KernelReport &kernel,
                                    unsigned instances,
                                    const Measurements &measurements,
                                    double programEstimate, bool &isMeasured) {
  if (auto time = kernel.features.get(Feature::Time))
    return *time * instances;
  isMeasured &= measurements.programUs.has_value();
  auto estimate = kernel.features.get(Feature::EstimatedTime);
  if (!estimate)
    return std::nullopt;
  if (measurements.programUs && programEstimate > 0)
    return *measurements.programUs * *estimate * instances / programEstimate;
  return *estimate * instances;
}

/// Adds what holds one kernel back.
static void addHeldTimes(const KernelReport &kernel, double time, double bound,
                         unsigned instances,
                         std::map<Bottleneck, double> &held) {
  Terms terms = termsOf(kernel.features, time, bound);
  for (uint32_t i = 0; i <= getMaxEnumValForBottleneck(); ++i) {
    auto bottleneck = static_cast<Bottleneck>(i);
    held[bottleneck] +=
        instances * std::clamp(heldBack(bottleneck, terms), 0.0,
                               std::max(0.0, terms.time - terms.bound));
  }
}

static DispatchDiagnosis diagnoseDispatch(const DispatchReport &dispatch,
                                          const Measurements &measurements,
                                          double programEstimate) {
  DispatchDiagnosis diagnosis;
  diagnosis.fingerprint = dispatch.fingerprint;
  diagnosis.measured = !dispatch.kernels.empty();
  unsigned instances = dispatch.instances;
  std::optional<double> bound = dispatch.work.get(Feature::BoundTime);
  double estimate = sumOf(dispatch.kernels, Feature::EstimatedTime);
  if (bound)
    diagnosis.boundUs = *bound * instances;
  std::map<Bottleneck, double> held;
  std::optional<double> total;
  bool isKnown = true;
  for (const KernelReport &kernel : dispatch.kernels) {
    std::optional<double> time = timeOf(kernel, instances, measurements,
                                        programEstimate, diagnosis.measured);
    isKnown &= time.has_value();
    if (!time)
      continue;
    total = total.value_or(0) + *time;
    double share =
        estimate > 0
            ? kernel.features.getOr(Feature::EstimatedTime, 0) / estimate
            : 1.0 / dispatch.kernels.size();
    addHeldTimes(kernel, *time / instances, bound.value_or(0) * share,
                 instances, held);
  }
  if (isKnown)
    diagnosis.timeUs = total;
  for (auto [bottleneck, us] : held)
    if (us > 0.01 * total.value_or(0))
      diagnosis.held.push_back({bottleneck, us});
  // Of equals, the one that the schema names first.
  llvm::sort(diagnosis.held, [](const HeldTime &a, const HeldTime &b) {
    return std::tuple(-a.us, a.bottleneck) < std::tuple(-b.us, b.bottleneck);
  });
  diagnosis.unknown = unknownsOf(dispatch, diagnosis.measured);
  return diagnosis;
}

AnalysisReport kernelskill::withMeasurements(const AnalysisReport &report,
                                             const Measurements &measurements) {
  AnalysisReport merged = report;
  for (DispatchReport &dispatch : merged.dispatches)
    for (KernelReport &kernel : dispatch.kernels) {
      auto found = measurements.kernels.find(kernel.name);
      if (found != measurements.kernels.end())
        kernel.features.merge(found->second);
    }
  return merged;
}

std::vector<DispatchDiagnosis>
kernelskill::diagnose(const AnalysisReport &report,
                      const Measurements &measurements) {
  AnalysisReport merged = withMeasurements(report, measurements);
  double programEstimate = 0;
  for (const DispatchReport &dispatch : merged.dispatches)
    programEstimate +=
        dispatch.instances * sumOf(dispatch.kernels, Feature::EstimatedTime);
  std::vector<DispatchDiagnosis> diagnoses;
  for (const DispatchReport &dispatch : merged.dispatches)
    diagnoses.push_back(
        diagnoseDispatch(dispatch, measurements, programEstimate));
  return diagnoses;
}
