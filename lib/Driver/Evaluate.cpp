// Search's part that builds, judges and times candidates. All settings of a
// round are built (ahead of the one that is looked at) and timed shortly; then
// the fastest are judged, and timed in full.
#include "Interrupt.h"
#include "OutputFile.h"
#include "Search.h"
#include "SettleBest.h"
#include "TheoreticalBound.h"

#include "llvm/ADT/ScopeExit.h"
#include <deque>
#include <numeric>
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
/// So many right settings of a round are timed in full; others were slower.
static constexpr unsigned enoughRightOnes = 3;
static constexpr double judgeSeconds = 900;

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
  // Which skills match takes longer to find out than all else together.
  if (settings.rounds > 0)
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
  auto report = readAnalysis(joinPath(folder, "analysis.json"));
  bool known = report && (report->hasSkills() || settings.rounds == 0);
  if (program && known)
    return Error::success();
  consumeError(program.takeError());
  consumeError(report.takeError());
  Expected<BuildJob> job =
      startBuild(buildSettings(), candidate.recipe, folder);
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  return outcome.ok() ? Error::success() : asError(outcome);
}

Error Search::append(CandidateRecord record) {
  if (Error error = write(toJson(record)))
    return error;
  contents.result.reset();
  contents.candidates.push_back(std::move(record));
  return Error::success();
}

CandidateRecord Search::recordOf(const Trial &trial) const {
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
  return record;
}

/// Builds trials and takes a first look at their times. What fails is in the
/// journal at once, the others are in `screened`, also those before an error.
Error Search::buildAndScreen(ArrayRef<Trial> trials, double seconds,
                             std::vector<CandidateRecord> &screened) {
  double begin = spentSeconds();
  std::deque<BuildJob> jobs;
  size_t started = 0;
  BuildSettings build = buildSettings();
  // An estimate needs no image for the CPU, and not which skills match: who is
  // judged is built with both.
  if (build.cpu && !baseHash.empty()) {
    build.cpu = false;
    build.skills.clear();
  }
  for (auto [index, trial] : enumerate(trials)) {
    // The first one is always tried, or a short budget would do nothing at all.
    if (interrupted() || (index > 0 && spentSeconds() - begin > seconds))
      break;
    for (; started < trials.size() && jobs.size() < buildsAhead(); ++started) {
      Expected<BuildJob> job = startBuild(build, trials[started].recipe,
                                          folderOf(trials[started].hash));
      if (!job)
        return job.takeError();
      jobs.push_back(std::move(*job));
    }
    progress.show("round " + Twine(round) + ": building " + trial.edit);
    auto candidateStart = Clock::now();
    BuildOutcome built = jobs.front().wait();
    jobs.pop_front();
    timing.build += secondsSince(candidateStart);
    if (interrupted())
      break;
    CandidateRecord record = recordOf(trial);
    record.verdict = built.verdict;
    if (!built.ok()) {
      record.stage = built.stage;
      record.reason = oneLine(built.reason);
      if (built.code == ExitCode::Tool)
        return asError(built); // the next one would not fare better
    } else if (!record.parent.empty()) {
      progress.show("round " + Twine(round) + ": timing " + trial.edit);
      if (Error error = timeCandidate(record, firstSamples))
        return error;
    }
    record.seconds = secondsSince(candidateStart);
    if (record.verdict == Outcome::Right)
      screened.push_back(std::move(record));
    else if (Error error = append(std::move(record)))
      return error;
  }
  return Error::success();
}

/// Why a screened candidate is not worth judging; empty if it is. `rightOnes`
/// of this round were faster at first sight.
static StringRef whyNotJudged(const CandidateRecord &record,
                              const CandidateRecord *bestOfRound,
                              unsigned rightOnes) {
  if (!record.speedup)
    return "";
  if (record.speedup->high < clearlySlowerThan)
    return "slower than its base";
  // Of settings whose estimates are equal, one stands for all.
  if (!bestOfRound)
    return "";
  if (record.speedup->high < bestOfRound->speedup->median)
    return "slower than the round's best";
  if (record.estimate)
    return "no faster than the round's best";
  return rightOnes >= enoughRightOnes ? "others of the round were as fast or "
                                        "faster at first sight"
                                      : "";
}

Error Search::evaluate(ArrayRef<Trial> trials, double seconds, Effort effort) {
  std::vector<CandidateRecord> screened;
  Error failure = buildAndScreen(trials, seconds, screened);
  if (interrupted()) {
    consumeError(std::move(failure)); // a resumed run builds them again
    return Error::success();
  }
  // What was built before an error is judged all the same, if that can be.
  if (!failure)
    return judgeScreened(screened, effort);
  Error later = judgeScreened(screened, effort);
  consumeError(std::move(later)); // the first error is the one to tell
  return failure;
}

Error Search::judgeScreened(std::vector<CandidateRecord> &screened,
                            Effort effort) {
  // The fastest first: once one is right, the slower ones need no judge.
  // Of equals, the one that the policy prefers comes first.
  std::vector<size_t> order(screened.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    const auto &first = screened[a].speedup, &second = screened[b].speedup;
    if (first && second && first->median != second->median)
      return first->median > second->median;
    return a < b;
  });
  std::optional<CandidateRecord> bestOfRound;
  unsigned rightOnes = 0;
  for (size_t index : order) {
    CandidateRecord &record = screened[index];
    StringRef why =
        effort == Effort::All
            ? ""
            : whyNotJudged(record, bestOfRound ? &*bestOfRound : nullptr,
                           rightOnes);
    if (!why.empty()) {
      record.verdict = Outcome::NotJudged;
      record.reason = why.str();
    } else {
      auto begin = Clock::now();
      Error error = judgeAndTime(record);
      if (interrupted()) {
        consumeError(std::move(error)); // half a measurement says nothing
        return Error::success();
      }
      if (error)
        return error;
      record.seconds += secondsSince(begin);
    }
    rightOnes += record.verdict == Outcome::Right;
    if (record.verdict == Outcome::Right && record.speedup &&
        (!bestOfRound || record.speedup->median > bestOfRound->speedup->median))
      bestOfRound = record;
    if (Error error = append(std::move(record)))
      return error;
  }
  return Error::success();
}

/// Adds the image for the CPU device, which screening left out.
Error Search::buildForJudge(CandidateRecord &record) {
  if (!worker->onCpu() || record.parent.empty())
    return Error::success();
  auto begin = Clock::now();
  Expected<BuildJob> job =
      startBuild(buildSettings(), record.recipe, folderOf(record.hash));
  if (!job)
    return job.takeError();
  BuildOutcome built = job->wait();
  timing.build += secondsSince(begin);
  record.verdict = built.verdict;
  record.stage = built.stage;
  record.reason = oneLine(built.reason);
  if (built.ok())
    record.stage.clear();
  return Error::success();
}

Error Search::judgeAndTime(CandidateRecord &record) {
  progress.show("round " + Twine(round) + ": judging " + record.edit);
  if (Error error = buildForJudge(record))
    return error;
  if (record.verdict != Outcome::Right)
    return Error::success();
  auto begin = Clock::now();
  Error error = judgeCandidate(record);
  timing.judge += secondsSince(begin);
  if (error)
    return error;
  if (record.verdict != Outcome::Right) {
    record.milliseconds.reset(); // the time of a wrong program says nothing
    record.speedup.reset();
    return Error::success();
  }
  progress.show("round " + Twine(round) + ": timing " + record.edit);
  return timeCandidate(record, fullSamples);
}

/// What the worker could not do is the candidate's verdict (it may need more
/// memory or registers than there are), but for the seed, which all others are
/// compared with, and for a device that is gone, it ends the run.
static Error takeAsVerdict(Error error, StringRef stage,
                           CandidateRecord &record) {
  if (record.parent.empty() || error.isA<DriverError>())
    return error;
  record.verdict = Outcome::Crash;
  record.stage = stage.str();
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &what) {
    if (what.isA<WorkerLost>() && static_cast<const WorkerLost &>(what).hang)
      record.verdict = Outcome::Hang;
    record.reason = oneLine(what.message());
  });
  return Error::success();
}

Error Search::judgeCandidate(CandidateRecord &record) {
  Expected<Verdict> verdict =
      worker->judge(joinPath(folderOf(record.hash), "program.ksp"),
                    settings.numerics, judgeSeconds);
  if (!verdict)
    return takeAsVerdict(verdict.takeError(), "judge", record);
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

/// A program that was not judged yet may hang: the base says how long is long.
double Search::runSecondsOf(const CandidateRecord &base) {
  return base.milliseconds ? std::max(1.0, base.milliseconds->median / 10) : 10;
}

/// Measures against the base, interleaved; a lost worker is the candidate's
/// verdict. On the CPU device the time is the model's.
Error Search::timeCandidate(CandidateRecord &record, unsigned samples) {
  auto begin = Clock::now();
  scope_exit count([&] { timing.time += secondsSince(begin); });
  if (worker->onCpu()) {
    estimateCandidate(record);
    return Error::success();
  }
  std::string program = joinPath(folderOf(record.hash), "program.ksp");
  const CandidateRecord *parent = contents.find(record.parent);
  std::string base =
      parent ? joinPath(folderOf(record.parent), "program.ksp") : "";
  double budget = std::clamp(settings.budgetSeconds / 60, 0.2, 2.0);
  Expected<WorkerTimes> times = worker->time(
      program, base, samples, budget, parent ? runSecondsOf(*parent) : 10);
  if (!times)
    return takeAsVerdict(times.takeError(), "time", record);
  record.milliseconds = toJournal(times->program);
  record.launches = times->launches;
  if (parent)
    record.speedup = toJournal(times->speedup);
  Expected<double> bound = boundOf(record);
  if (!bound)
    return bound.takeError();
  checkAgainstBound(record, *bound);
  return Error::success();
}

/// Milliseconds that this very program can't be faster than on this chip.
Expected<double> Search::boundOf(const CandidateRecord &record) const {
  std::string folder = folderOf(record.hash);
  Expected<const Chip *> chip = findChip(settings.chip);
  if (!chip)
    return chip.takeError();
  Expected<Program> program = readProgram(joinPath(folder, "program.ksp"));
  if (!program)
    return program.takeError();
  Expected<AnalysisReport> report =
      readAnalysis(joinPath(folder, "analysis.json"));
  if (!report)
    return report.takeError();
  return theoreticalBoundMs(
      *program, *report,
      peakRates(**chip, worker->device(), copyBytesPerSecond));
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
  for (auto [dispatch, diagnosis] :
       zip(report->dispatches, diagnose(*report, Measurements()))) {
    if (!diagnosis.timeUs) {
      record.reason = "no estimate: not all accesses and trip counts of " +
                      dispatch.function + " are known";
      return;
    }
    us += *diagnosis.timeUs;
  }
  double ms = us / 1e3;
  record.milliseconds = JournalInterval{ms, ms, ms};
  record.estimate = true;
  const CandidateRecord *parent = contents.find(record.parent);
  if (parent && parent->milliseconds && ms > 0) {
    double ratio = parent->milliseconds->median / ms;
    record.speedup = JournalInterval{ratio, ratio, ratio};
  }
}
