// Journal records to JSON objects and back. Reading is strict: a missing or
// mistyped field is an error that names it.
#include "JournalRecords.h"

using namespace llvm;
using namespace kernelskill;

static constexpr StringLiteral outcomeNames[] = {
    "refused", "compile-error", "crash",   "hang",
    "wrong",   "right",         "invalid", "not-judged"};

StringRef kernelskill::outcomeName(Outcome verdict) {
  return outcomeNames[unsigned(verdict)];
}

std::optional<Outcome> kernelskill::parseOutcome(StringRef name) {
  for (auto [index, known] : enumerate(outcomeNames))
    if (known == name)
      return Outcome(index);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// JSON has no infinity; a time that is not finite is not written.
static json::Object toJson(const JournalInterval &interval) {
  return json::Object{{"median", interval.median},
                      {"low", interval.low},
                      {"high", interval.high}};
}

json::Object kernelskill::toJson(const JournalHeader &header) {
  return json::Object{{"record", "header"},
                      {"version", kJournalVersion},
                      {"producer", header.producer},
                      {"payload", header.payload},
                      {"payload_hash", header.payloadHash},
                      {"chip", header.chip},
                      {"device", header.device},
                      {"numerics", header.numerics},
                      {"options", json::Object(header.options)}};
}

json::Object kernelskill::toJson(const CandidateRecord &record) {
  json::Object knobs;
  for (const auto &[name, value] : record.knobs)
    knobs[name] = value;
  json::Object object{{"record", "candidate"},
                      {"hash", record.hash},
                      {"parent", record.parent},
                      {"round", record.round},
                      {"edit", record.edit},
                      {"skill", record.skill},
                      {"fingerprint", record.fingerprint},
                      {"dispatch", record.dispatch},
                      {"knobs", std::move(knobs)},
                      {"recipe", record.recipe},
                      {"verdict", outcomeName(record.verdict)},
                      {"stage", record.stage},
                      {"reason", record.reason},
                      {"estimate", record.estimate},
                      {"expected", record.expected},
                      {"seconds", record.seconds}};
  if (record.milliseconds)
    object["milliseconds"] = ::toJson(*record.milliseconds);
  if (record.speedup)
    object["speedup"] = ::toJson(*record.speedup);
  return object;
}

json::Object kernelskill::toJson(const RoundRecord &record) {
  return json::Object{{"record", "round"},
                      {"round", record.round},
                      {"skill", record.skill},
                      {"fingerprint", record.fingerprint},
                      {"dispatch", record.dispatch},
                      {"chosen", record.chosen},
                      {"base", record.base},
                      {"best", record.best},
                      {"moved", record.moved},
                      {"reason", record.reason},
                      {"decision", json::Object(record.decision)}};
}

json::Object kernelskill::toJson(const StopRecord &record) {
  return json::Object{{"record", "stop"},
                      {"reason", record.reason},
                      {"detail", record.detail},
                      {"decision", json::Object(record.decision)}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Takes fields out of one object and remembers the first that is amiss.
struct FieldReader {
  const json::Object &object;
  std::string problem;

  void fail(StringRef name, StringRef type) {
    if (problem.empty())
      problem = formatv("field '{0}' is missing or is no {1}", name, type);
  }
  void take(StringRef name, std::string &value) {
    if (std::optional<StringRef> text = object.getString(name))
      value = text->str();
    else
      fail(name, "string");
  }
  void take(StringRef name, int64_t &value) {
    if (std::optional<int64_t> number = object.getInteger(name))
      value = *number;
    else
      fail(name, "integer");
  }
  void take(StringRef name, double &value) {
    if (std::optional<double> number = object.getNumber(name))
      value = *number;
    else
      fail(name, "number");
  }
  void take(StringRef name, bool &value) {
    if (std::optional<bool> flag = object.getBoolean(name))
      value = *flag;
    else
      fail(name, "boolean");
  }
  void take(StringRef name, json::Object &value) {
    if (const json::Object *inner = object.getObject(name))
      value = *inner;
    else
      fail(name, "object");
  }
  void take(StringRef name, std::optional<JournalInterval> &value) {
    const json::Value *found = object.get(name);
    if (!found)
      return;
    const json::Object *inner = found->getAsObject();
    if (!inner)
      return fail(name, "object");
    FieldReader reader{*inner, {}};
    value.emplace();
    reader.take("median", value->median);
    reader.take("low", value->low);
    reader.take("high", value->high);
    if (!reader.problem.empty())
      fail(name, "interval of median, low and high");
  }
};
} // namespace

static Error failIf(const FieldReader &reader) {
  if (reader.problem.empty())
    return Error::success();
  return createStringError(reader.problem);
}

Error kernelskill::fromJson(const json::Object &object, JournalHeader &header) {
  FieldReader reader{object, {}};
  reader.take("producer", header.producer);
  reader.take("payload", header.payload);
  reader.take("payload_hash", header.payloadHash);
  reader.take("chip", header.chip);
  reader.take("device", header.device);
  reader.take("numerics", header.numerics);
  reader.take("options", header.options);
  return failIf(reader);
}

Error kernelskill::fromJson(const json::Object &object,
                            CandidateRecord &record) {
  FieldReader reader{object, {}};
  std::string verdict;
  json::Object knobs;
  reader.take("hash", record.hash);
  reader.take("parent", record.parent);
  reader.take("round", record.round);
  reader.take("edit", record.edit);
  reader.take("skill", record.skill);
  reader.take("fingerprint", record.fingerprint);
  reader.take("dispatch", record.dispatch);
  reader.take("knobs", knobs);
  reader.take("recipe", record.recipe);
  reader.take("verdict", verdict);
  reader.take("stage", record.stage);
  reader.take("reason", record.reason);
  reader.take("milliseconds", record.milliseconds);
  reader.take("estimate", record.estimate);
  reader.take("speedup", record.speedup);
  reader.take("expected", record.expected);
  reader.take("seconds", record.seconds);
  if (Error error = failIf(reader))
    return error;
  std::optional<Outcome> parsed = parseOutcome(verdict);
  if (!parsed)
    return createStringError(formatv("verdict '{0}' is unknown", verdict));
  record.verdict = *parsed;
  for (const auto &[name, value] : knobs) {
    std::optional<StringRef> text = value.getAsString();
    if (!text)
      return createStringError(
          formatv("knob '{0}' is no string", StringRef(name)));
    record.knobs[StringRef(name).str()] = text->str();
  }
  return Error::success();
}

Error kernelskill::fromJson(const json::Object &object, RoundRecord &record) {
  FieldReader reader{object, {}};
  reader.take("round", record.round);
  reader.take("skill", record.skill);
  reader.take("fingerprint", record.fingerprint);
  reader.take("dispatch", record.dispatch);
  reader.take("chosen", record.chosen);
  reader.take("base", record.base);
  reader.take("best", record.best);
  reader.take("moved", record.moved);
  reader.take("reason", record.reason);
  reader.take("decision", record.decision);
  return failIf(reader);
}

Error kernelskill::fromJson(const json::Object &object, StopRecord &record) {
  FieldReader reader{object, {}};
  reader.take("reason", record.reason);
  reader.take("detail", record.detail);
  reader.take("decision", record.decision);
  return failIf(reader);
}
