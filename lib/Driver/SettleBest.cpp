// Settles which candidate is the best; see the header.
#include "SettleBest.h"
#include "DriverError.h"
#include "Interrupt.h"
#include "OutputFile.h"
#include "Search.h"

using namespace llvm;
using namespace kernelskill;

/// Clocks make the same program this much slower or faster from one moment to
/// another.
static constexpr double driftOfClocks = 1.05;
/// Contenders beside the base.
static constexpr size_t maxContenders = 4;
static constexpr unsigned pairSamples = 50;

std::vector<std::string>
kernelskill::contendersOf(const JournalContents &contents, StringRef base,
                          StringRef seed) {
  const CandidateRecord *first = contents.find(base);
  std::vector<const CandidateRecord *> others;
  for (const CandidateRecord &candidate : contents.candidates)
    if (candidate.verdict == Outcome::Right && candidate.milliseconds &&
        candidate.hash != base && candidate.hash != seed && first &&
        first->milliseconds &&
        candidate.milliseconds->median <=
            driftOfClocks * first->milliseconds->median)
      others.push_back(&candidate);
  llvm::sort(others, [](const CandidateRecord *a, const CandidateRecord *b) {
    return std::tie(a->milliseconds->median, a->hash) <
           std::tie(b->milliseconds->median, b->hash);
  });
  if (others.size() > maxContenders)
    others.resize(maxContenders);
  std::vector<std::string> hashes{base.str()};
  for (const CandidateRecord *candidate : others)
    hashes.push_back(candidate->hash);
  return hashes;
}

Expected<ResultRecord> kernelskill::settle(ArrayRef<std::string> contenders,
                                           StringRef seed, TimePair timePair) {
  ResultRecord result;
  result.best = contenders.front();
  result.contenders = contenders.size() + !is_contained(contenders, seed);
  for (const std::string &contender : contenders.drop_front()) {
    Expected<WorkerTimes> times = timePair(contender, result.best);
    if (!times)
      consumeError(times.takeError());
    else if (times->speedup.low > 1)
      result.best = contender;
  }
  if (result.best == seed)
    return result;
  Expected<WorkerTimes> times = timePair(result.best, seed);
  if (!times)
    return times.takeError();
  result.seedMilliseconds = toJournal(times->base);
  if (times->speedup.median < 1) {
    result.best = seed.str();
    result.milliseconds = result.seedMilliseconds;
    result.speedup = JournalInterval{1, 1, 1};
    return result;
  }
  result.milliseconds = toJournal(times->program);
  result.speedup = toJournal(times->speedup);
  return result;
}

Error Search::settleBest() {
  if (contents.result || interrupted() || bestHash.empty())
    return Error::success();
  ResultRecord result;
  result.best = bestHash;
  if (!worker->onCpu()) {
    progress.show("timing the fastest once more, together");
    auto begin = Clock::now();
    auto settled =
        settle(contendersOf(contents, baseHash, seedHash), seedHash,
               [&](StringRef program, StringRef base) -> Expected<WorkerTimes> {
                 for (StringRef hash : {program, base})
                   if (Error error = ensureBuilt(*contents.find(hash)))
                     return std::move(error);
                 return worker->time(joinPath(folderOf(program), "program.ksp"),
                                     joinPath(folderOf(base), "program.ksp"),
                                     pairSamples, 2,
                                     runSecondsOf(*contents.find(base)));
               });
    timing.time += secondsSince(begin);
    if (!settled)
      return settled.takeError();
    result = std::move(*settled);
  }
  if (interrupted())
    return Error::success(); // half a comparison says nothing
  if (Error error = write(toJson(result)))
    return error;
  bestHash = result.best;
  contents.result = std::move(result);
  return Error::success();
}
