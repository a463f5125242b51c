// Search's measurements of the base: program time, and hardware counters by
// kernel where they can be had.
#include "OutputFile.h"
#include "Search.h"

using namespace llvm;
using namespace kernelskill;

namespace {
/// A counter by Nsight Compute's name, and the feature that it is.
struct Metric {
  StringLiteral name;
  Feature feature;
  double scale;
};
} // namespace

static constexpr Metric metrics[] = {
    {"gpu__time_duration.sum", Feature::Time, 1e-3}, // ns to µs
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
     Feature::DramThroughput, 1},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", Feature::L2Throughput,
     1},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", Feature::SmThroughput,
     1},
    {"sm__warps_active.avg.pct_of_peak_sustained_active",
     Feature::AchievedOccupancy, 1},
    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.pct",
     Feature::LongScoreboardStall, 1},
    {"dram__bytes.sum", Feature::DramBytes, 1},
};

/// The counters of a candidate by kernel. Where there are none, the reason is
/// remembered and not asked for again.
json::Object Search::readCounters(const CandidateRecord &candidate) {
  json::Object result;
  if (worker->onCpu() || !countersProblem.empty())
    return result;
  progress.show("round " + Twine(round) + ": counters of the base");
  std::string path = joinPath(folderOf(candidate.hash), "program.ksp");
  Expected<Program> program = readProgram(path);
  if (!program) {
    consumeError(program.takeError());
    return result;
  }
  std::vector<std::string> names;
  for (const Metric &metric : metrics)
    names.push_back(metric.name.str());
  auto launches = worker->counters(path, names);
  if (!launches) {
    countersProblem = toString(launches.takeError());
    return result;
  }
  size_t index = 0;
  for (const StepRecord &step : program->steps) {
    if (step.kind != StepRecord::Kind::Launch || index >= launches->size())
      continue;
    json::Object values;
    for (const auto &[name, value] : (*launches)[index])
      values[name] = value;
    result[program->kernels[step.kernel].name] = std::move(values);
    ++index;
  }
  return result;
}

Measurements Search::readMeasurements(const CandidateRecord &candidate) {
  Measurements result;
  if (worker->onCpu())
    return result; // its time is the model's, which the policy has already
  if (candidate.milliseconds)
    result.programUs = candidate.milliseconds->median * 1e3;
  auto known = counters.find(candidate.hash);
  if (known == counters.end())
    known = counters.emplace(candidate.hash, readCounters(candidate)).first;
  for (const auto &[kernel, values] : known->second)
    if (const json::Object *object = values.getAsObject())
      for (const Metric &metric : metrics)
        if (std::optional<double> value = object->getNumber(metric.name))
          result.kernels[StringRef(kernel).str()].set(metric.feature,
                                                      *value * metric.scale);
  return result;
}
