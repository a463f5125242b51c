// Journal records to JSON objects and back, by one list of fields for each.
// Reading is strict: a missing or mistyped field is an error that names it.
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

namespace {

/// Puts fields into an object. JSON has no infinity and no NaN: an interval
/// that is not finite is not written, and a number that must be there is 0,
/// which says "none" everywhere.
struct FieldWriter {
  json::Object object;

  /// Moves out of what stands for a JSON value; the record is a copy.
  template <typename T>
  void field(StringRef name, T &value) {
    object[name] = std::move(value);
  }
  void field(StringRef name, double &value) {
    object[name] = std::isfinite(value) ? value : 0;
  }
  void field(StringRef name, Outcome &verdict) {
    object[name] = outcomeName(verdict);
  }
  void field(StringRef name, std::map<std::string, std::string> &knobs) {
    json::Object inner;
    for (const auto &[knob, value] : knobs)
      inner[knob] = value;
    object[name] = std::move(inner);
  }
  void field(StringRef name, std::optional<JournalInterval> &interval) {
    if (interval && std::isfinite(interval->median) &&
        std::isfinite(interval->low) && std::isfinite(interval->high))
      object[name] = json::Object{{"median", interval->median},
                                  {"low", interval->low},
                                  {"high", interval->high}};
  }
  void field(StringRef name, std::optional<std::string> &text) {
    if (text)
      object[name] = std::move(*text);
  }
  void field(StringRef name, std::vector<PlanRecord::Trial> &trials);
};

/// Takes fields out of one object and remembers the first that is amiss.
struct FieldReader {
  const json::Object &object;
  std::string problem;

  void fail(StringRef name, StringRef type) {
    if (problem.empty())
      problem = formatv("field '{0}' is missing or is no {1}", name, type);
  }
  /// `found` is what the object holds under the name, if it is of the type.
  template <typename T, typename Found>
  void take(StringRef name, StringRef type, T &value, Found found) {
    if (found)
      value = T(*found);
    else
      fail(name, type);
  }
  void field(StringRef name, std::string &value) {
    take(name, "string", value, object.getString(name));
  }
  void field(StringRef name, std::optional<std::string> &value) {
    if (object.get(name))
      take(name, "string", value, object.getString(name));
  }
  void field(StringRef name, int64_t &value) {
    take(name, "integer", value, object.getInteger(name));
  }
  void field(StringRef name, double &value) {
    take(name, "number", value, object.getNumber(name));
  }
  void field(StringRef name, bool &value) {
    take(name, "boolean", value, object.getBoolean(name));
  }
  void field(StringRef name, json::Object &value) {
    take(name, "object", value, object.getObject(name));
  }
  void field(StringRef name, json::Array &value) {
    take(name, "array", value, object.getArray(name));
  }
  void field(StringRef name, Outcome &value) {
    take(name, "verdict", value,
         parseOutcome(object.getString(name).value_or("")));
  }
  void field(StringRef name, std::map<std::string, std::string> &knobs) {
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
  void field(StringRef name, std::optional<JournalInterval> &value) {
    const json::Value *found = object.get(name);
    if (!found)
      return;
    const json::Object *inner = found->getAsObject();
    if (!inner)
      return fail(name, "object");
    FieldReader reader{*inner, {}};
    value.emplace();
    reader.field("median", value->median);
    reader.field("low", value->low);
    reader.field("high", value->high);
    if (!reader.problem.empty())
      fail(name, "interval of median, low and high");
  }
  void field(StringRef name, std::vector<PlanRecord::Trial> &trials);
};

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

template <typename Io>
void mapFields(Io &io, JournalHeader &header) {
  io.field("producer", header.producer);
  io.field("payload", header.payload);
  io.field("payload_hash", header.payloadHash);
  io.field("chip", header.chip);
  io.field("device", header.device);
  io.field("numerics", header.numerics);
  io.field("options", header.options);
}

template <typename Io>
void mapFields(Io &io, CandidateRecord &record) {
  io.field("hash", record.hash);
  io.field("parent", record.parent);
  io.field("round", record.round);
  io.field("edit", record.edit);
  io.field("skill", record.skill);
  io.field("fingerprint", record.fingerprint);
  io.field("dispatch", record.dispatch);
  io.field("knobs", record.knobs);
  io.field("recipe", record.recipe);
  io.field("verdict", record.verdict);
  io.field("stage", record.stage);
  io.field("reason", record.reason);
  io.field("milliseconds", record.milliseconds);
  io.field("estimate", record.estimate);
  io.field("launches", record.launches);
  io.field("speedup", record.speedup);
  io.field("expected", record.expected);
  io.field("seconds", record.seconds);
}

template <typename Io>
void mapFields(Io &io, PlanRecord::Trial &trial) {
  io.field("knobs", trial.knobs);
  io.field("hash", trial.hash);
}

template <typename Io>
void mapFields(Io &io, PlanRecord &record) {
  io.field("round", record.round);
  io.field("base", record.base);
  io.field("edit", record.edit);
  io.field("skill", record.skill);
  io.field("fingerprint", record.fingerprint);
  io.field("step", record.step);
  io.field("gain_us", record.gain);
  io.field("reason", record.reason);
  io.field("trials", record.trials);
  io.field("decision", record.decision);
}

template <typename Io>
void mapFields(Io &io, RoundRecord &record) {
  io.field("round", record.round);
  io.field("skill", record.skill);
  io.field("fingerprint", record.fingerprint);
  io.field("dispatch", record.dispatch);
  io.field("chosen", record.chosen);
  io.field("base", record.base);
  io.field("best", record.best);
  io.field("moved", record.moved);
  io.field("reason", record.reason);
  io.field("expected", record.expected);
  io.field("happened", record.happened);
  io.field("expectations", record.expectations);
}

template <typename Io>
void mapFields(Io &io, ResultRecord &record) {
  io.field("best", record.best);
  io.field("contenders", record.contenders);
  io.field("milliseconds", record.milliseconds);
  io.field("seed_milliseconds", record.seedMilliseconds);
  io.field("speedup", record.speedup);
}

template <typename Io>
void mapFields(Io &io, StopRecord &record) {
  io.field("reason", record.reason);
  io.field("detail", record.detail);
  io.field("decision", record.decision);
}

void FieldWriter::field(StringRef name,
                        std::vector<PlanRecord::Trial> &trials) {
  json::Array array;
  for (PlanRecord::Trial &trial : trials) {
    FieldWriter inner;
    mapFields(inner, trial);
    array.push_back(std::move(inner.object));
  }
  object[name] = std::move(array);
}

void FieldReader::field(StringRef name,
                        std::vector<PlanRecord::Trial> &trials) {
  json::Array array;
  field(name, array);
  for (const json::Value &value : array) {
    const json::Object *trial = value.getAsObject();
    if (!trial)
      return fail(name, "array of objects");
    FieldReader inner{*trial, {}};
    mapFields(inner, trials.emplace_back());
    if (!inner.problem.empty() && problem.empty())
      problem = std::move(inner.problem);
  }
}

} // namespace

template <typename Record>
static json::Object write(StringRef kind, Record record) {
  FieldWriter writer;
  writer.object["record"] = kind;
  mapFields(writer, record);
  return std::move(writer.object);
}

template <typename Record>
static Error read(const json::Object &object, Record &record) {
  FieldReader reader{object, {}};
  mapFields(reader, record);
  if (reader.problem.empty())
    return Error::success();
  return createStringError(reader.problem);
}

json::Object kernelskill::toJson(const JournalHeader &header) {
  json::Object object = write("header", header);
  object["version"] = kJournalVersion;
  return object;
}
Error kernelskill::fromJson(const json::Object &object, JournalHeader &header) {
  return read(object, header);
}

json::Object kernelskill::toJson(const CandidateRecord &record) {
  return write("candidate", record);
}
Error kernelskill::fromJson(const json::Object &object,
                            CandidateRecord &record) {
  return read(object, record);
}

json::Object kernelskill::toJson(const PlanRecord &record) {
  return write("plan", record);
}
Error kernelskill::fromJson(const json::Object &object, PlanRecord &record) {
  return read(object, record);
}

json::Object kernelskill::toJson(const RoundRecord &record) {
  return write("round", record);
}
Error kernelskill::fromJson(const json::Object &object, RoundRecord &record) {
  return read(object, record);
}

json::Object kernelskill::toJson(const ResultRecord &record) {
  return write("result", record);
}
Error kernelskill::fromJson(const json::Object &object, ResultRecord &record) {
  return read(object, record);
}

json::Object kernelskill::toJson(const StopRecord &record) {
  return write("stop", record);
}
Error kernelskill::fromJson(const json::Object &object, StopRecord &record) {
  return read(object, record);
}
