// Journal records to JSON objects and back. Reading is strict: a missing or
// mistyped field is an error that names it.
#include "JournalRecords.h"

#include <cmath>

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

/// JSON has no infinity and no NaN: what is not finite is not written, and a
/// number that must be there is 0, which says "none" everywhere.
static double finiteOrZero(double value) {
  return std::isfinite(value) ? value : 0;
}

static void put(json::Object &object, StringRef name,
                const std::optional<JournalInterval> &interval) {
  if (interval && std::isfinite(interval->median) &&
      std::isfinite(interval->low) && std::isfinite(interval->high))
    object[name] = json::Object{{"median", interval->median},
                                {"low", interval->low},
                                {"high", interval->high}};
}

static json::Object toJson(const std::map<std::string, std::string> &knobs) {
  json::Object object;
  for (const auto &[name, value] : knobs)
    object[name] = value;
  return object;
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
  json::Object object{{"record", "candidate"},
                      {"hash", record.hash},
                      {"parent", record.parent},
                      {"round", record.round},
                      {"edit", record.edit},
                      {"skill", record.skill},
                      {"fingerprint", record.fingerprint},
                      {"dispatch", record.dispatch},
                      {"knobs", ::toJson(record.knobs)},
                      {"recipe", record.recipe},
                      {"verdict", outcomeName(record.verdict)},
                      {"stage", record.stage},
                      {"reason", record.reason},
                      {"estimate", record.estimate},
                      {"expected", finiteOrZero(record.expected)},
                      {"seconds", finiteOrZero(record.seconds)}};
  put(object, "milliseconds", record.milliseconds);
  put(object, "speedup", record.speedup);
  return object;
}

json::Object kernelskill::toJson(const PlanRecord &record) {
  json::Array trials;
  for (const PlanRecord::Trial &trial : record.trials)
    trials.push_back(
        json::Object{{"knobs", ::toJson(trial.knobs)}, {"hash", trial.hash}});
  return json::Object{{"record", "plan"},
                      {"round", record.round},
                      {"base", record.base},
                      {"edit", record.edit},
                      {"skill", record.skill},
                      {"fingerprint", record.fingerprint},
                      {"step", record.step},
                      {"gain_us", finiteOrZero(record.gain)},
                      {"reason", record.reason},
                      {"trials", std::move(trials)},
                      {"decision", json::Object(record.decision)}};
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
                      {"expected", finiteOrZero(record.expected)},
                      {"happened", finiteOrZero(record.happened)},
                      {"expectations", json::Array(record.expectations)}};
}

json::Object kernelskill::toJson(const StopRecord &record) {
  return json::Object{{"record", "stop"},
                      {"reason", record.reason},
                      {"detail", record.detail},
                      {"decision", json::Object(record.decision)}};
}

json::Object kernelskill::toJson(const ResultRecord &record) {
  json::Object object{{"record", "result"},
                      {"best", record.best},
                      {"contenders", record.contenders}};
  put(object, "milliseconds", record.milliseconds);
  put(object, "seed_milliseconds", record.seedMilliseconds);
  put(object, "speedup", record.speedup);
  return object;
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
  void take(StringRef name, json::Array &value) {
    if (const json::Array *inner = object.getArray(name))
      value = *inner;
    else
      fail(name, "array");
  }
  void take(StringRef name, std::map<std::string, std::string> &knobs) {
    const json::Object *inner = object.getObject(name);
    if (!inner)
      return fail(name, "object");
    for (const auto &[knob, value] : *inner) {
      std::optional<StringRef> text = value.getAsString();
      if (!text)
        return fail(name, "object of strings");
      knobs[StringRef(knob).str()] = text->str();
    }
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
  reader.take("hash", record.hash);
  reader.take("parent", record.parent);
  reader.take("round", record.round);
  reader.take("edit", record.edit);
  reader.take("skill", record.skill);
  reader.take("fingerprint", record.fingerprint);
  reader.take("dispatch", record.dispatch);
  reader.take("knobs", record.knobs);
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
  return Error::success();
}

Error kernelskill::fromJson(const json::Object &object, PlanRecord &record) {
  FieldReader reader{object, {}};
  json::Array trials;
  reader.take("round", record.round);
  reader.take("base", record.base);
  reader.take("edit", record.edit);
  reader.take("skill", record.skill);
  reader.take("fingerprint", record.fingerprint);
  reader.take("step", record.step);
  reader.take("gain_us", record.gain);
  reader.take("reason", record.reason);
  reader.take("trials", trials);
  reader.take("decision", record.decision);
  for (const json::Value &value : trials) {
    const json::Object *trial = value.getAsObject();
    if (!trial) {
      reader.fail("trials", "array of objects");
      break;
    }
    FieldReader inner{*trial, {}};
    inner.take("knobs", record.trials.emplace_back().knobs);
    inner.take("hash", record.trials.back().hash);
    if (Error error = failIf(inner))
      return error;
  }
  return failIf(reader);
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
  reader.take("expected", record.expected);
  reader.take("happened", record.happened);
  reader.take("expectations", record.expectations);
  return failIf(reader);
}

Error kernelskill::fromJson(const json::Object &object, ResultRecord &record) {
  FieldReader reader{object, {}};
  reader.take("best", record.best);
  reader.take("contenders", record.contenders);
  reader.take("milliseconds", record.milliseconds);
  reader.take("seed_milliseconds", record.seedMilliseconds);
  reader.take("speedup", record.speedup);
  return failIf(reader);
}

Error kernelskill::fromJson(const json::Object &object, StopRecord &record) {
  FieldReader reader{object, {}};
  reader.take("reason", record.reason);
  reader.take("detail", record.detail);
  reader.take("decision", record.decision);
  return failIf(reader);
}
