// Search's part that builds, judges and times candidates. While one is judged,
// the next are built.
#include "Interrupt.h"
#include "OutputFile.h"
#include "Search.h"

#include <deque>
#include <thread>

using namespace llvm;
using namespace kernelskill;

/// Builds that run at once, ahead of the candidate that is measured.
static size_t buildsAhead() {
  return std::clamp(std::thread::hardware_concurrency() / 2, 2u, 8u);
}
/// Interleaved pairs of a timing, and of a first look.
static constexpr unsigned fullSamples = 30, firstSamples = 3;
/// Of a first look: slower than this is not worth judging.
static constexpr double clearlySlowerThan = 0.95;
static constexpr double judgeSeconds = 900;

static JournalInterval toJournal(const Interval &interval) {
  return {interval.median, interval.low, interval.high};
}

static std::string oneLine(StringRef text) {
  std::string line = text.str();
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string Search::folderOf(StringRef hash) const {
  return joinPath(joinPath(settings.folder, "candidates"), hash);
}

BuildSettings Search::buildSettings() const {
  BuildSettings build;
  build.payload = settings.payload.path;
  build.chip = settings.chip;
  build.numerics = settings.numerics;
  build.skills = settings.skills;
  build.cpu = worker->onCpu();
  return build;
}

static Expected<BuildJob> startBuild(const BuildSettings &settings,
                                     StringRef recipe, StringRef folder) {
  if (Error error = makeFolder(folder))
    return std::move(error);
  std::string path = joinPath(folder, "recipe.mlir");
  if (Error error = writeFile(path, recipe))
    return std::move(error);
  return BuildJob::candidate(settings, path, folder);
}

Error Search::ensureBuilt(const CandidateRecord &candidate) {
  std::string folder = folderOf(candidate.hash);
  Expected<Program> program = readProgram(joinPath(folder, "program.ksp"));
  if (program && sys::fs::exists(joinPath(folder, "analysis.json")))
    return Error::success();
  if (!program)
    consumeError(program.takeError());
  Expected<BuildJob> job =
      startBuild(buildSettings(), candidate.recipe, folder);
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  return outcome.ok() ? Error::success() : asError(outcome);
}

Error Search::append(CandidateRecord record) {
  if (Error error = writer->append(toJson(record)))
    return error;
  contents.candidates.push_back(std::move(record));
  return Error::success();
}

Error Search::evaluate(ArrayRef<Trial> trials, double seconds) {
  auto begin = Clock::now();
  std::deque<BuildJob> jobs;
  size_t started = 0;
  auto startNext = [&]() -> Error {
    Expected<BuildJob> job = startBuild(buildSettings(), trials[started].recipe,
                                        folderOf(trials[started].hash));
    if (!job)
      return job.takeError();
    jobs.push_back(std::move(*job));
    ++started;
    return Error::success();
  };
  for (auto [index, trial] : enumerate(trials)) {
    // The first one is always tried, or a short budget would do nothing at all.
    if (interrupted() || (index > 0 && secondsSince(begin) > seconds))
      break;
    while (started < trials.size() && jobs.size() < buildsAhead())
      if (Error error = startNext())
        return error;
    progress.show("round " + Twine(round) + ": building " + trial.edit);
    auto candidateStart = Clock::now();
    BuildOutcome built = jobs.front().wait();
    jobs.pop_front();
    timing.build += secondsSince(candidateStart);
    if (interrupted())
      break;
    if (started < trials.size())
      if (Error error = startNext())
        return error;
    CandidateRecord record;
    record.hash = trial.hash;
    record.parent = baseHash;
    record.round = round;
    record.edit = trial.edit;
    record.skill = trial.skill;
    record.fingerprint = trial.fingerprint;
    if (const DispatchReport *dispatch =
            baseReport ? baseReport->find(trial.fingerprint) : nullptr)
      record.dispatch = dispatch->function;
    record.knobs = trial.knobs;
    record.recipe = trial.recipe;
    record.expected = trial.expected;
    record.verdict = built.verdict;
    if (built.ok()) {
      Error error = measure(record);
      if (error && !interrupted())
        return error;
      consumeError(std::move(error));
    } else {
      record.stage = built.stage;
      record.reason = oneLine(built.reason);
      if (built.code == ExitCode::Tool)
        return asError(built); // the next one would not fare better
    }
    if (interrupted())
      break; // half a measurement says nothing
    record.seconds = secondsSince(candidateStart);
    if (Error error = append(std::move(record)))
      return error;
  }
  return Error::success();
}

/// Time and verdict of a candidate that was built.
Error Search::measure(CandidateRecord &record) {
  auto timed = [&](unsigned samples) {
    auto begin = Clock::now();
    Error error =
        worker->onCpu() ? Error::success() : timeCandidate(record, samples);
    if (worker->onCpu())
      estimateCandidate(record);
    timing.time += secondsSince(begin);
    return error;
  };
  progress.show("round " + Twine(round) + ": timing " + record.edit);
  if (!record.parent.empty()) {
    if (Error error = timed(firstSamples))
      return error;
    if (record.verdict != Outcome::Right)
      return Error::success();
    if (clearlySlower(record)) {
      record.verdict = Outcome::NotJudged;
      record.reason = winnerOf(record.round) ? "slower than the round's best"
                                             : "slower than its base";
      return Error::success();
    }
  }
  progress.show("round " + Twine(round) + ": judging " + record.edit);
  auto begin = Clock::now();
  Error error = judgeCandidate(record);
  timing.judge += secondsSince(begin);
  if (error || record.verdict != Outcome::Right)
    return error;
  progress.show("round " + Twine(round) + ": timing " + record.edit);
  return timed(fullSamples);
}

Error Search::judgeCandidate(CandidateRecord &record) {
  Expected<Verdict> verdict =
      worker->judge(joinPath(folderOf(record.hash), "program.ksp"),
                    settings.numerics, judgeSeconds);
  if (!verdict)
    return verdict.takeError();
  switch (verdict->kind) {
  case VerdictKind::Right:
    record.verdict = Outcome::Right;
    return Error::success();
  case VerdictKind::Wrong:
    record.verdict = Outcome::Wrong;
    break;
  case VerdictKind::Crash:
    record.verdict = Outcome::Crash;
    break;
  case VerdictKind::Hang:
    record.verdict = Outcome::Hang;
    break;
  case VerdictKind::Refused:
    record.verdict = Outcome::Refused;
    break;
  case VerdictKind::CompileError:
    record.verdict = Outcome::CompileError;
    break;
  }
  record.stage = "run";
  record.reason = oneLine(verdict->message);
  return Error::success();
}

/// Measures against the base, interleaved; a lost worker is the candidate's
/// verdict.
Error Search::timeCandidate(CandidateRecord &record, unsigned samples) {
  std::string program = joinPath(folderOf(record.hash), "program.ksp");
  std::string base = record.parent.empty()
                         ? ""
                         : joinPath(folderOf(record.parent), "program.ksp");
  double budget = std::clamp(settings.budgetSeconds / 60, 0.2, 2.0);
  Expected<WorkerTimes> times = worker->time(program, base, samples, budget);
  if (!times)
    return handleErrors(times.takeError(), [&](const WorkerLost &lost) {
      record.verdict = lost.hang ? Outcome::Hang : Outcome::Crash;
      record.stage = "time";
      record.reason = oneLine(lost.message);
    });
  record.milliseconds = toJournal(times->program);
  if (!base.empty())
    record.speedup = toJournal(times->speedup);
  return Error::success();
}

/// The analytic model's time, as an interval of no width.
void Search::estimateCandidate(CandidateRecord &record) {
  Expected<AnalysisReport> report =
      readAnalysis(joinPath(folderOf(record.hash), "analysis.json"));
  if (!report) {
    record.reason = oneLine(toString(report.takeError()));
    return;
  }
  double us = 0;
  for (const DispatchDiagnosis &dispatch : diagnose(*report, Measurements()))
    us += dispatch.timeUs;
  double ms = us / 1e3;
  record.milliseconds = JournalInterval{ms, ms, ms};
  record.estimate = true;
  const CandidateRecord *parent = contents.find(record.parent);
  if (parent && parent->milliseconds && ms > 0) {
    double ratio = parent->milliseconds->median / ms;
    record.speedup = JournalInterval{ratio, ratio, ratio};
  }
}

/// Slower than its base, or than what this round found already.
bool Search::clearlySlower(const CandidateRecord &record) const {
  if (!record.speedup)
    return false;
  double toBeat = 1;
  if (const CandidateRecord *winner = winnerOf(record.round))
    toBeat = std::max(toBeat, winner->speedup->low);
  return record.speedup->high < clearlySlowerThan * toBeat;
}
