// Search's results: files of the best candidate, report.json, report.txt and
// the summary for the terminal.
#include "HtmlReport.h"
#include "Interrupt.h"
#include "KernelSkill/Driver/Registration.h"
#include "OutputFile.h"
#include "RoundTable.h"
#include "Search.h"

using namespace llvm;
using namespace kernelskill;

static constexpr std::pair<StringLiteral, StringLiteral> resultFiles[] = {
    {"recipe", "recipe.mlir"}, {"program", "program.ksp"},
    {"PTX", "kernel.ptx"},     {"cubin", "kernel.cubin"},
    {"report", "report.html"}, {"journal", "journal.jsonl"}};

/// Copies what a build left; a file that it did not leave is no error.
static Error copyFiles(StringRef from, StringRef to) {
  for (StringRef name : {"recipe.mlir", "program.ksp", "kernel.ptx",
                         "kernel.cubin", "analysis.json"}) {
    std::string source = joinPath(from, name);
    if (!sys::fs::exists(source))
      continue;
    Expected<std::string> bytes = readFile(source);
    if (!bytes)
      return bytes.takeError();
    if (Error error = writeFile(joinPath(to, name), *bytes))
      return error;
  }
  return Error::success();
}

/// The best candidate's files, with an image for the CPU device too.
Error Search::copyBest() {
  std::string folder = folderOf(bestHash);
  if (Error error = ensureBuilt(*best()))
    return error;
  if (!worker->onCpu() && !interrupted()) {
    BuildSettings build = buildSettings();
    build.cpu = true;
    std::string whole = folder + ".whole";
    Expected<BuildJob> job =
        BuildJob::candidate(build, joinPath(folder, "recipe.mlir"), whole);
    if (!job)
      return job.takeError();
    BuildOutcome outcome = job->wait();
    if (outcome.ok())
      folder = whole;
    else
      cpuImageProblem = outcome.reason;
  }
  return copyFiles(folder, settings.folder);
}

/// The result's times, where the contenders were timed together.
const ResultRecord *Search::settledTimes() const {
  const auto &result = contents.result;
  return result && result->milliseconds && result->seedMilliseconds &&
                 result->speedup
             ? &*result
             : nullptr;
}

Error Search::writeResults() {
  if (bestHash.empty())
    return makeError(ExitCode::Cut, "nothing was judged right");
  progress.show("writing the results");
  if (Error error = copyBest())
    return error;
  timing.total = secondsSince(start);
  json::Object object = report();
  std::string page = htmlReport(object);
  std::string text = formatv("{0:2}\n", json::Value(std::move(object)));
  if (Error error = writeFile(joinPath(settings.folder, "report.json"), text))
    return error;
  if (Error error = writeFile(joinPath(settings.folder, "report.html"), page))
    return error;
  std::string table;
  raw_string_ostream os(table);
  printSummary(os);
  progress.clear();
  return writeFile(joinPath(settings.folder, "report.txt"), table);
}

static json::Object describeCandidate(const CandidateRecord &candidate) {
  json::Object object = toJson(candidate);
  object.erase("record");
  object.erase("recipe"); // in the journal, and as a file
  return object;
}

/// The dispatches of the base on the chip's roofline. What the program's time
/// was measured to be is shared out among them by their estimates.
json::Object Search::roofline() const {
  json::Array dispatches;
  Measurements measurements;
  if (!worker->onCpu() && base()->milliseconds)
    measurements.programUs = base()->milliseconds->median * 1e3;
  for (auto [dispatch, diagnosis] :
       zip(baseReport->dispatches, diagnose(*baseReport, measurements)))
    dispatches.push_back(
        json::Object{{"name", dispatch.function},
                     {"kind", stringifyDispatchKind(dispatch.kind)},
                     {"fingerprint", dispatch.fingerprint},
                     {"instances", int64_t(dispatch.instances)},
                     {"flops", dispatch.work.getOr(Feature::Flops, 0)},
                     {"min_bytes", dispatch.work.getOr(Feature::MinBytes, 0)},
                     {"time_us", diagnosis.timeUs.value_or(0)},
                     {"bound_us", diagnosis.boundUs.value_or(0)}});
  json::Object object{{"dispatches", std::move(dispatches)},
                      {"estimate", true}};
  if (Expected<const Chip *> chip = findChip(settings.chip)) {
    object["bytes_per_second"] = (*chip)->dramBytesPerSecond;
    object["flops_per_second"] = (*chip)->fp32FlopsPerSecond;
  } else {
    consumeError(chip.takeError());
  }
  return object;
}

json::Object Search::report() const {
  json::Array candidates, rounds;
  for (const CandidateRecord &candidate : contents.candidates)
    candidates.push_back(describeCandidate(candidate));
  for (const RoundRecord &record : contents.rounds) {
    json::Object object = toJson(record);
    object.erase("record");
    if (const PlanRecord *plan = contents.plan(record.round)) {
      object["reason_for_plan"] = plan->reason;
      object["decision"] = json::Object(plan->decision);
    }
    rounds.push_back(std::move(object));
  }
  const DeviceProperties &device = worker->device();
  json::Object object{
      {"kernelskill", KERNELSKILL_VERSION},
      {"payload", settings.payload.given},
      {"payload_hash", settings.payload.hash},
      {"chip", settings.chip},
      {"numerics", settings.numerics},
      {"device", json::Object{{"name", device.name},
                              {"kind", device.kind},
                              {"chip", device.chip},
                              {"driver", device.driverVersion},
                              {"restarts", int64_t(worker->restarts())}}},
      {"estimate", worker->onCpu()},
      {"bound_ms", boundMilliseconds()},
      {"achievable_ms", achievableMilliseconds()},
      {"copy_bytes_per_second", copyBytesPerSecond},
      {"counters_problem", countersProblem},
      {"rounds", std::move(rounds)},
      {"candidates", std::move(candidates)},
      {"timing", json::Object{{"build", timing.build},
                              {"judge", timing.judge},
                              {"time", timing.time},
                              {"plan", timing.plan},
                              {"wait", worker->waitedSeconds()},
                              {"total", timing.total}}}};
  if (baseReport && base())
    object["roofline"] = roofline();
  if (seed())
    object["seed"] = describeCandidate(*seed());
  if (best())
    object["best"] = describeCandidate(*best());
  if (!cpuImageProblem.empty())
    object["cpu_image_problem"] = cpuImageProblem;
  if (const ResultRecord *result = settledTimes())
    object["final"] =
        json::Object{{"milliseconds", result->milliseconds->median},
                     {"seed_milliseconds", result->seedMilliseconds->median},
                     {"speedup", result->speedup->median},
                     {"speedup_low", result->speedup->low},
                     {"speedup_high", result->speedup->high},
                     {"contenders", result->contenders}};
  if (contents.stop)
    object["stop"] =
        json::Object{{"reason", contents.stop->reason},
                     {"detail", contents.stop->detail},
                     {"decision", json::Object(contents.stop->decision)}};
  json::Object files;
  for (auto [what, name] : resultFiles)
    files[what] = joinPath(settings.folder, name);
  object["files"] = std::move(files);
  return object;
}

void Search::printSummary(raw_ostream &os) const {
  os << settings.payload.given << " for " << settings.chip << " on "
     << worker->device().name << ", numerics " << settings.numerics << "\n\n";
  printRoundTable(contents, bestHash, os);
  const CandidateRecord *first = seed(), *last = best();
  if (!first || !last)
    return;
  const ResultRecord *result = settledTimes();
  os << "\nresult: ";
  if (result)
    os << timeText(result->seedMilliseconds->median) << " -> "
       << timeText(result->milliseconds->median)
       << formatv(", {0:F2}x faster [{1:F2}, {2:F2}]", result->speedup->median,
                  result->speedup->low, result->speedup->high);
  else if (last->milliseconds)
    os << timeText(*first) << " -> " << timeText(*last);
  else
    os << "no time is known";
  if (!result && first->milliseconds && last->milliseconds &&
      last->milliseconds->median > 0)
    os << formatv(", {0:F2}x faster{1}",
                  first->milliseconds->median / last->milliseconds->median,
                  last->estimate ? " (estimate)" : "");
  double achievable = achievableMilliseconds();
  if (last->milliseconds && last->milliseconds->median > 0 && achievable > 0)
    os << formatv(", {0:F0} % of what is achievable",
                  100 * achievable / last->milliseconds->median);
  os << ", right against the oracle\n";
  if (last->launches)
    os << "each run's kernels are " << *last->launches << "\n";
  if (last->estimate)
    os << "times are estimates of an analytic model: this device measures "
          "nothing\n";
  if (!cpuImageProblem.empty())
    os << "program.ksp has no image for the CPU device: " << cpuImageProblem
       << "\n";
  if (!countersProblem.empty())
    os << "no hardware counters: " << countersProblem << "\n";
  for (auto [what, name] : resultFiles)
    os << "  " << left_justify(what, 9) << joinPath(settings.folder, name)
       << "\n";
}
