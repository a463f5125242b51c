// Reads a journal: line by line, with the line's number in every error.
#include "JournalRecords.h"
#include "KernelSkill/Runtime/JsonNesting.h"

#include <cmath>

using namespace llvm;
using namespace kernelskill;

const CandidateRecord *JournalContents::find(StringRef hash) const {
  for (const CandidateRecord &candidate : candidates)
    if (candidate.hash == hash)
      return &candidate;
  return nullptr;
}

const CandidateRecord *JournalContents::best() const {
  const CandidateRecord *best = nullptr;
  auto timeOf = [](const CandidateRecord &candidate) {
    return candidate.milliseconds ? candidate.milliseconds->median : INFINITY;
  };
  for (const CandidateRecord &candidate : candidates)
    if (candidate.verdict == Outcome::Right &&
        (!best || timeOf(candidate) < timeOf(*best)))
      best = &candidate;
  return best;
}

const PlanRecord *JournalContents::plan(int64_t round) const {
  for (const PlanRecord &plan : reverse(plans))
    if (plan.round == round)
      return &plan;
  return nullptr;
}

static Error atLine(StringRef path, unsigned line, const Twine &message) {
  return createStringError(path + ":" + Twine(line) + ": " + message +
                           "; move the folder away or choose another with -o");
}

/// Parses one line into `contents`.
static Error readLine(StringRef text, bool first, JournalContents &contents) {
  if (isNestedTooDeeply(text))
    return createStringError("line is nested too deeply for a record");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return joinErrors(createStringError("line is no JSON"), value.takeError());
  const json::Object *object = value->getAsObject();
  StringRef kind = object ? object->getString("record").value_or("") : "";
  if (first != (kind == "header"))
    return createStringError(first ? "file is no journal of kernelskill"
                                   : "second header");
  if (kind == "header") {
    int64_t version = object->getInteger("version").value_or(0);
    if (version != kJournalVersion)
      return createStringError(
          formatv("journal has version {0}, this kernelskill reads version {1}",
                  version, kJournalVersion));
    return fromJson(*object, contents.header);
  }
  std::optional<double> spent = object->getNumber("spent_seconds");
  if (!spent || *spent < 0)
    return createStringError(
        "field 'spent_seconds' is missing or is no number of seconds");
  contents.spentSeconds = *spent;
  if (kind == "candidate") {
    contents.result.reset();
    return fromJson(*object, contents.candidates.emplace_back());
  }
  if (kind == "plan")
    return fromJson(*object, contents.plans.emplace_back());
  if (kind == "result")
    return fromJson(*object, contents.result.emplace());
  if (kind == "round") {
    contents.stop.reset();
    return fromJson(*object, contents.rounds.emplace_back());
  }
  if (kind == "stop")
    return fromJson(*object, contents.stop.emplace());
  return createStringError(formatv("record of unknown kind '{0}'", kind));
}

/// Rounds, plans and the result name candidates, which must be there.
static Error checkNames(const JournalContents &contents, StringRef path) {
  auto check = [&](const Twine &who, StringRef hash) -> Error {
    if (hash.empty() || contents.find(hash))
      return Error::success();
    return createStringError(path + ": " + who + " names candidate " + hash +
                             " that the journal does not hold; move the "
                             "folder away or choose another with -o");
  };
  for (const PlanRecord &plan : contents.plans)
    if (Error error =
            check("the plan of round " + Twine(plan.round), plan.base))
      return error;
  for (const RoundRecord &round : contents.rounds)
    for (StringRef hash : {StringRef(round.base), StringRef(round.best),
                           StringRef(round.chosen)})
      if (Error error = check("round " + Twine(round.round), hash))
        return error;
  return contents.result ? check("the result", contents.result->best)
                         : Error::success();
}

Expected<JournalContents> kernelskill::readJournal(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(buffer.getError(),
                             path + ": " + buffer.getError().message());
  JournalContents contents;
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned line = 1; !rest.empty(); ++line) {
    size_t end = rest.find('\n');
    if (end == StringRef::npos) {
      // Only a kill in the middle of a write leaves a line without its end.
      contents.droppedLastLine = true;
      break;
    }
    if (Error error = readLine(rest.take_front(end), line == 1, contents)) {
      std::string message = toString(std::move(error));
      std::replace(message.begin(), message.end(), '\n', ' ');
      return atLine(path, line, message);
    }
    contents.validBytes += end + 1;
    rest = rest.drop_front(end + 1);
  }
  if (contents.validBytes == 0)
    return atLine(path, 1, "journal has no header");
  if (Error error = checkNames(contents, path))
    return std::move(error);
  return contents;
}

Error kernelskill::checkJournalMatches(const JournalHeader &found,
                                       const JournalHeader &asked,
                                       StringRef path) {
  auto differ = [&](StringRef what, StringRef had,
                    StringRef has) -> std::optional<Error> {
    if (had == has)
      return std::nullopt;
    return createStringError(
        formatv("{0}: the journal is of a run with {1} '{2}', asked is '{3}'; "
                "choose another folder with -o, or move this one away",
                path, what, had, has));
  };
  if (auto error = differ("payload", found.payloadHash, asked.payloadHash))
    return std::move(*error);
  if (auto error = differ("chip", found.chip, asked.chip))
    return std::move(*error);
  if (auto error = differ("device", found.device, asked.device))
    return std::move(*error);
  if (auto error = differ("numerics", found.numerics, asked.numerics))
    return std::move(*error);
  if (auto error = differ("version", found.producer, asked.producer))
    return std::move(*error);
  return Error::success();
}
