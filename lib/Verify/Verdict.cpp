// JSON of verdicts; see the header.
#include "KernelSkill/Verify/Verdict.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace kernelskill;

static constexpr StringLiteral kKinds[] = {"right", "wrong",   "crash",
                                           "hang",  "refused", "compile error"};

StringRef kernelskill::verdictName(VerdictKind kind) {
  return kKinds[static_cast<unsigned>(kind)];
}

std::optional<VerdictKind> kernelskill::parseVerdictKind(StringRef name) {
  for (auto [index, kind] : enumerate(kKinds))
    if (kind == name)
      return static_cast<VerdictKind>(index);
  return std::nullopt;
}

namespace {

// A double that may be NaN or infinite, which JSON lacks.
json::Value number(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  return value;
}

// Reads the members of one object; the first that is missing or of another type
// is the error.
class Reader {
public:
  Reader(const json::Object &object, StringRef where)
      : object(object), where(where.str()) {}

  void read(StringRef name, double &value) {
    const json::Value *member = object.get(name);
    if (member && member->getAsNumber())
      value = *member->getAsNumber();
    else if (member && member->getAsString() == StringRef("nan"))
      value = std::numeric_limits<double>::quiet_NaN();
    else if (member && member->getAsString() == StringRef("inf"))
      value = std::numeric_limits<double>::infinity();
    else if (member && member->getAsString() == StringRef("-inf"))
      value = -std::numeric_limits<double>::infinity();
    else
      fail(name, "a number");
  }
  void read(StringRef name, uint64_t &value) {
    if (const json::Value *member = object.get(name))
      if (std::optional<uint64_t> number = member->getAsUINT64()) {
        value = *number;
        return;
      }
    fail(name, "a natural number");
  }
  void read(StringRef name, uint32_t &value) {
    uint64_t wide = 0;
    read(name, wide);
    value = static_cast<uint32_t>(wide);
  }
  void read(StringRef name, bool &value) {
    if (std::optional<bool> found = object.getBoolean(name))
      value = *found;
    else
      fail(name, "true or false");
  }
  void read(StringRef name, std::string &value) {
    if (std::optional<StringRef> found = object.getString(name))
      value = found->str();
    else
      fail(name, "a string");
  }
  void fail(StringRef name, StringRef expected) {
    if (message.empty())
      message = where + ": '" + name.str() + "' must be " + expected.str();
  }
  Error takeError() {
    return message.empty() ? Error::success() : createStringError(message);
  }

  const json::Object &object;

private:
  std::string where, message;
};

json::Object measureToJSON(const MeasureRecord &m) {
  return json::Object{{"family", m.family},
                      {"seed", m.seed},
                      {"output", m.output},
                      {"normwise", number(m.normwise)},
                      {"plainNormwise", number(m.plainNormwise)},
                      {"normwiseBound", number(m.normwiseBound)},
                      {"componentwise", number(m.componentwise)},
                      {"plainComponentwise", number(m.plainComponentwise)},
                      {"componentwiseBound", number(m.componentwiseBound)},
                      {"mismatches", m.mismatches},
                      {"vacuous", m.vacuous}};
}

Expected<MeasureRecord> measureFromJSON(const json::Object &object) {
  MeasureRecord m;
  Reader reader(object, "measure");
  reader.read("family", m.family);
  reader.read("seed", m.seed);
  reader.read("output", m.output);
  reader.read("normwise", m.normwise);
  reader.read("plainNormwise", m.plainNormwise);
  reader.read("normwiseBound", m.normwiseBound);
  reader.read("componentwise", m.componentwise);
  reader.read("plainComponentwise", m.plainComponentwise);
  reader.read("componentwiseBound", m.componentwiseBound);
  reader.read("mismatches", m.mismatches);
  reader.read("vacuous", m.vacuous);
  if (Error error = reader.takeError())
    return std::move(error);
  return m;
}

json::Object worstToJSON(const WorstElement &w) {
  return json::Object{
      {"family", w.family},       {"seed", w.seed},
      {"output", w.output},       {"name", w.name},
      {"index", w.index},         {"position", json::Array(w.position)},
      {"got", number(w.got)},     {"expected", number(w.expected)},
      {"plain", number(w.plain)}, {"allowed", number(w.allowed)}};
}

Expected<WorstElement> worstFromJSON(const json::Object &object) {
  WorstElement w;
  Reader reader(object, "worst element");
  reader.read("family", w.family);
  reader.read("seed", w.seed);
  reader.read("output", w.output);
  reader.read("name", w.name);
  reader.read("index", w.index);
  if (const json::Array *position = object.getArray("position")) {
    for (const json::Value &extent : *position)
      w.position.push_back(extent.getAsInteger().value_or(0));
  } else {
    reader.fail("position", "an array");
  }
  reader.read("got", w.got);
  reader.read("expected", w.expected);
  reader.read("plain", w.plain);
  reader.read("allowed", w.allowed);
  if (Error error = reader.takeError())
    return std::move(error);
  return w;
}

} // namespace

json::Value kernelskill::toJSON(const Verdict &verdict) {
  json::Array measures;
  for (const MeasureRecord &measure : verdict.measures)
    measures.push_back(measureToJSON(measure));
  json::Object object{
      {"verdict", verdictName(verdict.kind)}, {"cause", verdict.cause},
      {"message", verdict.message},           {"numerics", verdict.numerics},
      {"measures", std::move(measures)},      {"vacuous", verdict.vacuous},
      {"deviceLost", verdict.deviceLost}};
  if (!verdict.leftOut.empty())
    object["leftOut"] = json::Array(verdict.leftOut);
  if (verdict.worst)
    object["worst"] = worstToJSON(*verdict.worst);
  return object;
}

Expected<Verdict> kernelskill::verdictFromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return createStringError("verdict: must be an object");
  Verdict verdict;
  Reader reader(*object, "verdict");
  std::string kind;
  reader.read("verdict", kind);
  if (std::optional<VerdictKind> parsed = parseVerdictKind(kind))
    verdict.kind = *parsed;
  else
    reader.fail("verdict", "a kind of verdict");
  reader.read("cause", verdict.cause);
  reader.read("message", verdict.message);
  reader.read("numerics", verdict.numerics);
  reader.read("vacuous", verdict.vacuous);
  reader.read("deviceLost", verdict.deviceLost);
  if (const json::Array *families = object->getArray("leftOut"))
    for (const json::Value &family : *families)
      verdict.leftOut.push_back(family.getAsString().value_or("").str());
  const json::Array *measures = object->getArray("measures");
  if (!measures)
    reader.fail("measures", "an array");
  if (Error error = reader.takeError())
    return std::move(error);
  for (const json::Value &measure : *measures) {
    const json::Object *fields = measure.getAsObject();
    if (!fields)
      return createStringError("verdict: a measure must be an object");
    Expected<MeasureRecord> parsed = measureFromJSON(*fields);
    if (!parsed)
      return parsed.takeError();
    verdict.measures.push_back(std::move(*parsed));
  }
  if (const json::Object *worst = object->getObject("worst")) {
    Expected<WorstElement> parsed = worstFromJSON(*worst);
    if (!parsed)
      return parsed.takeError();
    verdict.worst = std::move(*parsed);
  }
  return verdict;
}
