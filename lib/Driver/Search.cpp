// Search's state: opening, resuming, rounds, stopping. See the header.
#include "Search.h"
#include "Interrupt.h"
#include "KernelSkill/Driver/Registration.h"
#include "OutputFile.h"
#include "SkillFolders.h"

using namespace llvm;
using namespace kernelskill;

/// A gain below this factor does not move the base, whatever its interval.
static constexpr double leastGain = 1.02;
/// Rounds without a move of the base after which the run stops.
static constexpr unsigned patience = 5;
/// This near to what is achievable there is nothing left to gain.
static constexpr double nearRoofline = 0.97;

Expected<AnalysisReport> kernelskill::readAnalysis(StringRef path) {
  Expected<std::string> text = readFile(path);
  if (!text)
    return text.takeError();
  Expected<json::Value> value = json::parse(*text);
  if (!value)
    return value.takeError();
  return AnalysisReport::fromJson(*value);
}

std::string kernelskill::defaultChip(const DeviceProperties &device) {
  if (device.kind == "cpu" || device.chip.empty())
    return "sm_90a";
  // The GPU says sm_90; the instructions that only this generation has want a.
  Expected<const Chip *> special = findChip(device.chip + "a");
  if (special)
    return (*special)->name.str();
  consumeError(special.takeError());
  return device.chip;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// An old journal is kept under another name.
static Error putJournalAside(StringRef folder) {
  std::string path = joinPath(folder, "journal.jsonl");
  if (!sys::fs::exists(path))
    return Error::success();
  if (std::error_code error =
          sys::fs::rename(path, joinPath(folder, "journal.previous.jsonl")))
    return makeError(ExitCode::Input, path + ": " + error.message());
  return Error::success();
}

Expected<std::unique_ptr<Search>> Search::open(SearchSettings settings,
                                               mlir::MLIRContext &context) {
  std::unique_ptr<Search> search(new Search(context));
  search->settings = std::move(settings);
  SearchSettings &options = search->settings;
  search->progress.quiet = options.json;
  if (Error error = makeFolder(options.folder))
    return std::move(error);
  // Before anything is written there.
  Expected<FolderLock> lock = FolderLock::take(options.folder);
  if (!lock)
    return withCode(ExitCode::Input, lock.takeError());
  search->lock.emplace(std::move(*lock));
  if (options.fresh)
    if (Error error = putJournalAside(options.folder))
      return std::move(error);
  auto folders = skillFolders(options.skills, options.folder);
  if (!folders)
    return folders.takeError();
  options.skills = std::move(*folders);
  Expected<SkillLibrary> library = loadSkills(context, options.skills);
  if (!library)
    return library.takeError();
  search->library.emplace(std::move(*library));
  Expected<Worker> worker = Worker::start(options.device, options.folder);
  if (!worker)
    return worker.takeError();
  search->worker.emplace(std::move(*worker));
  if (options.chip.empty())
    options.chip = defaultChip(search->worker->device());
  if (Expected<const Chip *> chip = findChip(options.chip); !chip)
    return withCode(ExitCode::Input, chip.takeError());
  if (Error error = search->openJournal())
    return std::move(error);
  if (Error error = search->buildOracle())
    return std::move(error);
  return search;
}

Error Search::openJournal() {
  JournalHeader header;
  header.producer = std::string("kernelskill ") + KERNELSKILL_VERSION;
  header.payload = settings.payload.given;
  header.payloadHash = settings.payload.hash;
  header.chip = settings.chip;
  header.device = worker->onCpu() ? "cpu" : worker->device().name;
  header.numerics = settings.numerics;
  header.options = json::Object{{"rounds", settings.rounds},
                                {"budget", settings.budgetSeconds},
                                {"skills", settings.skills}};
  std::string path = joinPath(settings.folder, "journal.jsonl");
  std::string payload = joinPath(settings.folder, "payload.mlir");
  Expected<std::string> text = readFile(settings.payload.path);
  if (!text)
    return text.takeError();
  settings.payload.path = payload;
  if (!sys::fs::exists(path)) {
    if (Error error = writeFile(payload, *text))
      return error;
    Expected<JournalWriter> created = JournalWriter::create(path, header);
    if (!created)
      return withCode(ExitCode::Input, created.takeError());
    writer.emplace(std::move(*created));
    contents.header = std::move(header);
    return Error::success();
  }
  Expected<JournalContents> read = readJournal(path);
  if (!read)
    return withCode(ExitCode::Input, read.takeError());
  if (Error error = checkJournalMatches(read->header, header, path))
    return withCode(ExitCode::Input, std::move(error));
  Expected<JournalWriter> opened = JournalWriter::resume(path, *read);
  if (!opened)
    return withCode(ExitCode::Input, opened.takeError());
  if (Error error = writeFile(payload, *text))
    return error;
  if (read->droppedLastLine)
    progress.say("kernelskill: note: " + path +
                 ": the last line was cut and is dropped");
  progress.say("kernelskill: going on after round " +
               Twine(read->rounds.empty() ? 0 : read->rounds.back().round) +
               " of the journal in " + settings.folder);
  writer.emplace(std::move(*opened));
  contents = std::move(*read);
  resumed = true;
  takeState();
  return Error::success();
}

/// Seed, base, best and round as the journal left them, and what of the budget
/// is spent.
void Search::takeState() {
  spentBefore = contents.spentSeconds;
  for (const CandidateRecord &candidate : contents.candidates)
    if (candidate.parent.empty() && candidate.round == 0 && seedHash.empty() &&
        candidate.verdict == Outcome::Right)
      seedHash = candidate.hash;
  baseHash = seedHash;
  if (!contents.rounds.empty()) {
    baseHash = contents.rounds.back().base;
    round = contents.rounds.back().round;
  }
  updateBest();
}

/// Estimates can be compared whenever they were made. Of times that were
/// measured at different moments, under other clocks, only those of interleaved
/// pairs can: each base beat the one before it in such pairs. The result is
/// settled at the end.
void Search::updateBest() {
  const CandidateRecord *best = contents.best();
  if (!worker->onCpu() && !baseHash.empty())
    best = base();
  bestHash = best ? best->hash : "";
  if (contents.result)
    bestHash = contents.result->best;
}

Error Search::write(json::Object record) {
  return writer->append(std::move(record), spentSeconds());
}

Error Search::buildOracle() {
  std::string folder = joinPath(settings.folder, "oracle");
  progress.show("building the oracle");
  auto begin = Clock::now();
  BuildSettings build = buildSettings();
  build.ptx = !worker->onCpu();
  Expected<BuildJob> job = BuildJob::oracle(build, folder);
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  timing.build += secondsSince(begin);
  if (interrupted())
    return makeError(ExitCode::Cut, "interrupted before anything was judged");
  if (!outcome.ok())
    return asError(outcome);
  if (Error error = worker->setup(folder))
    return withCode(ExitCode::Internal, std::move(error));
  if (worker->onCpu())
    return Error::success();
  // As large as the program's own arguments, within reason.
  Expected<double> copy = worker->copyBandwidth(uint64_t(1) << 30);
  if (copy)
    copyBytesPerSecond = *copy;
  else
    consumeError(copy.takeError());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Seed and outside candidates
//===----------------------------------------------------------------------===//

Error Search::judgeSeed() {
  if (!seedHash.empty())
    return setBase(baseHash);
  RecipeHeader header;
  header.payload = settings.payload.hash;
  header.chip = settings.chip;
  header.numerics = numericsOf(settings.numerics);
  auto recipe = createEmptyRecipe(&context, header);
  Trial trial;
  trial.hash = canonicalHash(*recipe);
  trial.recipe = printRecipe(*recipe);
  trial.edit = "seed: default strategies";
  const CandidateRecord *record = contents.find(trial.hash);
  if (!record)
    if (Error error = evaluate(trial, settings.budgetSeconds, Effort::All))
      return error;
  record = contents.find(trial.hash);
  if (!record)
    return makeError(ExitCode::Cut, "interrupted before anything was judged");
  if (record->verdict != Outcome::Right) {
    bool wrong = record->verdict == Outcome::Wrong ||
                 record->verdict == Outcome::Invalid;
    return makeError(
        wrong || record->stage == "run" ? ExitCode::Wrong : ExitCode::Input,
        "the program without any skill is not right (" +
            outcomeName(record->verdict) +
            (record->stage.empty() ? "" : " in stage '") + record->stage +
            (record->stage.empty() ? "" : "'") + "): " + record->reason);
  }
  seedHash = record->hash;
  return setBase(seedHash);
}

Error Search::judgeOutside(ArrayRef<Trial> trials) {
  SmallVector<Trial> fresh;
  for (const Trial &trial : trials)
    if (!contents.find(trial.hash))
      fresh.push_back(trial);
  int64_t current = std::exchange(round, 0);
  Error error = evaluate(fresh, settings.budgetSeconds, Effort::All);
  const CandidateRecord *winner = winnerOf(0);
  round = current;
  updateBest();
  if (error || !winner)
    return error;
  return setBase(winner->hash);
}

Error Search::setBase(std::string hash) {
  baseHash = std::move(hash);
  const CandidateRecord *record = contents.find(baseHash);
  if (Error error = ensureBuilt(*record))
    return error;
  Expected<AnalysisReport> report =
      readAnalysis(joinPath(folderOf(baseHash), "analysis.json"));
  if (!report)
    return report.takeError();
  baseReport = std::move(*report);
  updateBest();
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

History Search::history() const {
  History history;
  for (const CandidateRecord &candidate : contents.candidates) {
    history.judged.insert(candidate.hash);
    bool failed = candidate.verdict == Outcome::Wrong ||
                  candidate.verdict == Outcome::Invalid ||
                  candidate.verdict == Outcome::Crash ||
                  candidate.verdict == Outcome::Hang;
    if (failed && candidate.parent == baseHash)
      history.failedOnBase[{candidate.skill, candidate.fingerprint}] =
          candidate.reason;
  }
  return history;
}

Expected<Decision> Search::planNext() {
  auto begin = Clock::now();
  progress.show("round " + Twine(round + 1) + ": planning");
  const CandidateRecord *record = base();
  Measurements measurements = readMeasurements(*record);
  auto recipe = parseRecipe(&context, record->recipe, "recipe of the base");
  if (mlir::failed(recipe))
    return makeError(ExitCode::Internal, "the base's recipe is broken");
  Decision decision =
      plan(*baseReport, measurements, *library, **recipe, history());
  lastDecision = decision.toJson();
  timing.plan += secondsSince(begin);
  return decision;
}

/// What the plan and the skill promised, and what the round's best setting did.
void Search::addOutcome(const PlannedEdit &edit, RoundRecord &record) {
  const CandidateRecord *front = nullptr;
  for (const CandidateRecord &candidate : contents.candidates) {
    if (candidate.round != round || candidate.parent != baseHash ||
        !candidate.speedup)
      continue;
    record.expected = candidate.expected;
    if (!front || candidate.speedup->median > front->speedup->median)
      front = &candidate;
  }
  if (!front)
    return;
  record.happened = front->speedup->median;
  Expected<AnalysisReport> report =
      readAnalysis(joinPath(folderOf(front->hash), "analysis.json"));
  if (!report) {
    consumeError(report.takeError()); // its files are gone: not known
    return;
  }
  const DispatchReport *before = baseReport->find(edit.dispatch),
                       *after = report->find(edit.dispatch);
  const Skill *skill = library->find(edit.skill);
  if (skill && before && after)
    for (const ExpectationOutcome &outcome :
         compareExpectations(*skill, *before, *after))
      record.expectations.push_back(outcome.toJson());
}

/// "skill {knob = value}" for people.
static std::string describeEdit(const PlannedEdit &edit,
                                const KnobAssignment &knobs) {
  std::string text = edit.skill;
  if (knobs.empty())
    return text;
  text += " {";
  for (const auto &[name, value] : knobs)
    text += (text.back() == '{' ? "" : ", ") + name + " = " + value;
  return text + "}";
}

Expected<std::vector<Trial>> Search::trialsOf(const PlannedEdit &edit) {
  auto recipe = parseRecipe(&context, base()->recipe, "recipe of the base");
  if (mlir::failed(recipe))
    return makeError(ExitCode::Internal, "the base's recipe is broken");
  double baseUs = base()->milliseconds ? base()->milliseconds->median * 1e3 : 0;
  std::vector<Trial> trials;
  for (const KnobTrial &knobs : edit.trials) {
    auto edited = applyEdit(edit, knobs, *library, **recipe);
    if (mlir::failed(edited))
      return makeError(ExitCode::Internal,
                       "skill '" + edit.skill + "' can't be put in a recipe");
    Trial trial;
    trial.hash = canonicalHash(**edited);
    trial.recipe = printRecipe(**edited);
    trial.edit = describeEdit(edit, knobs.knobs);
    trial.skill = edit.skill;
    trial.fingerprint = edit.dispatch;
    trial.knobs = knobs.knobs;
    if (edit.gainUs > 0 && baseUs > edit.gainUs)
      trial.expected = baseUs / (baseUs - edit.gainUs);
    if (!contents.find(trial.hash))
      trials.push_back(std::move(trial));
  }
  return trials;
}

const CandidateRecord *Search::winnerOf(int64_t round) const {
  const CandidateRecord *winner = nullptr;
  for (const CandidateRecord &candidate : contents.candidates) {
    if (candidate.round != round || candidate.parent != baseHash ||
        candidate.verdict != Outcome::Right || !candidate.speedup)
      continue;
    if (candidate.speedup->low <= 1 || candidate.speedup->median < leastGain)
      continue;
    if (!winner || candidate.speedup->median > winner->speedup->median)
      winner = &candidate;
  }
  return winner;
}

static constexpr std::pair<PlannedEdit::Kind, StringLiteral> editNames[] = {
    {PlannedEdit::Kind::AddStep, "add-step"},
    {PlannedEdit::Kind::ReplaceStep, "replace-step"},
    {PlannedEdit::Kind::SetKnobs, "set-knobs"}};

static PlanRecord planRecordOf(const PlannedEdit &edit) {
  PlanRecord record;
  for (auto [kind, name] : editNames)
    if (kind == edit.kind)
      record.edit = name.str();
  record.skill = edit.skill;
  record.fingerprint = edit.dispatch;
  record.step = edit.step;
  record.gain = edit.gainUs;
  record.reason = edit.reason;
  for (const KnobTrial &trial : edit.trials)
    record.trials.push_back({trial.knobs, trial.hash});
  return record;
}

/// The edit of a round that a run planned, began and did not finish, if it
/// still fits: the base may have been moved from outside, the skills changed.
std::optional<PlannedEdit> Search::openEdit() {
  const PlanRecord *plan =
      contents.plans.empty() ? nullptr : &contents.plans.back();
  if (!plan || plan->round <= round)
    return std::nullopt;
  // Whatever happens, its number is taken.
  round = plan->round - 1;
  auto kind = find_if(
      editNames, [&](const auto &name) { return name.second == plan->edit; });
  if (plan->base != baseHash || !library->find(plan->skill) ||
      kind == std::end(editNames)) {
    round = plan->round;
    return std::nullopt;
  }
  PlannedEdit edit;
  edit.kind = kind->first;
  edit.skill = plan->skill;
  edit.dispatch = plan->fingerprint;
  edit.step = int(plan->step);
  edit.gainUs = plan->gain;
  edit.reason = plan->reason;
  for (const PlanRecord::Trial &trial : plan->trials)
    edit.trials.push_back({trial.knobs, trial.hash});
  return edit;
}

Error Search::finishOpenRound() {
  std::optional<PlannedEdit> edit = openEdit();
  if (!edit || secondsLeft() <= 0)
    return Error::success();
  ++round;
  progress.say("kernelskill: finishing round " + Twine(round) + ": " +
               edit->skill);
  return finishRound(*edit);
}

Error Search::runRound(const PlannedEdit &edit) {
  ++round;
  PlanRecord record = planRecordOf(edit);
  record.round = round;
  record.base = baseHash;
  record.decision = std::move(lastDecision);
  if (Error error = write(toJson(record)))
    return error;
  contents.stop.reset();
  contents.plans.push_back(std::move(record));
  return finishRound(edit);
}

Error Search::finishRound(const PlannedEdit &edit) {
  Expected<std::vector<Trial>> trials = trialsOf(edit);
  if (!trials)
    return trials.takeError();
  double seconds =
      std::max(1.0, std::min(secondsLeft(), settings.budgetSeconds / 4));
  if (Error error = evaluate(*trials, seconds, Effort::Fastest))
    return error;
  if (interrupted())
    return Error::success(); // not finished: a resumed run does the rest
  RoundRecord record;
  record.round = round;
  record.skill = edit.skill;
  record.fingerprint = edit.dispatch;
  if (const DispatchReport *dispatch = baseReport->find(edit.dispatch))
    record.dispatch = dispatch->function;
  addOutcome(edit, record);
  record.base = baseHash;
  if (const CandidateRecord *winner = winnerOf(round)) {
    record.moved = true;
    record.base = record.chosen = winner->hash;
    record.reason =
        formatv("{0:F2} times faster than the base{1}", winner->speedup->median,
                winner->estimate ? " (estimate)" : "");
  } else {
    record.reason = "no setting gains enough over the base";
  }
  std::string previous = std::exchange(baseHash, record.base);
  updateBest();
  record.best = bestHash;
  baseHash = std::move(previous);
  // First the record, then the move: a run that ends in between resumes there.
  if (Error error = write(toJson(record)))
    return error;
  std::string next = record.base;
  progress.say("round " + Twine(round) + ": " + edit.skill + ": " +
               record.reason);
  bool moved = record.moved;
  contents.rounds.push_back(std::move(record));
  return moved ? setBase(std::move(next)) : Error::success();
}

//===----------------------------------------------------------------------===//
// Stopping
//===----------------------------------------------------------------------===//

double Search::spentSeconds() const {
  double waited = worker ? worker->waitedSeconds() : 0;
  return spentBefore + secondsSince(start) - waited;
}

double Search::secondsLeft() const {
  return settings.budgetSeconds - spentSeconds();
}

double Search::boundMilliseconds() const {
  double us = 0;
  for (const DispatchReport &dispatch : baseReport->dispatches)
    us += dispatch.instances * dispatch.work.getOr(Feature::BoundTime, 0);
  return us / 1e3;
}

double Search::achievableMilliseconds() const {
  double us = 0;
  for (const DispatchReport &dispatch : baseReport->dispatches) {
    double bound = dispatch.work.getOr(Feature::BoundTime, 0);
    if (copyBytesPerSecond > 0)
      bound = std::max(bound, dispatch.work.getOr(Feature::MinBytes, 0) /
                                  copyBytesPerSecond * 1e6);
    us += dispatch.instances * bound;
  }
  return us / 1e3;
}

std::optional<StopRecord> Search::stopReason() const {
  if (interrupted())
    return StopRecord{"interrupted", "the best so far is kept", {}};
  if (round >= int64_t(settings.rounds))
    return StopRecord{"rounds", formatv("{0} rounds are done", round), {}};
  if (secondsLeft() <= 0)
    return StopRecord{"budget",
                      formatv("{0:F0} seconds are spent, --budget allows more",
                              settings.budgetSeconds),
                      {}};
  const CandidateRecord *record = base();
  double achievable = achievableMilliseconds();
  if (record->milliseconds && achievable > 0 &&
      achievable >= nearRoofline * record->milliseconds->median)
    return StopRecord{"roofline",
                      formatv("{0:F0} % of what is achievable is reached",
                              100 * achievable / record->milliseconds->median),
                      {}};
  unsigned idle = 0;
  for (const RoundRecord &finished : reverse(contents.rounds)) {
    if (finished.moved)
      break;
    ++idle;
  }
  if (idle >= patience)
    return StopRecord{
        "no-progress", formatv("{0} rounds without a gain", idle), {}};
  return std::nullopt;
}

Error Search::stop(StopRecord reason) {
  if (reason.reason == "no-skill")
    reason.decision = std::move(lastDecision);
  if (Error error = write(toJson(reason)))
    return error;
  contents.stop = std::move(reason);
  return Error::success();
}
