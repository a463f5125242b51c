// Text forms and verifiers of the dialect's attributes.
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelskill;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Pieces of the text forms
//===----------------------------------------------------------------------===//

/// Parses the name of an enumerator; a wrong one is an error at that place with
/// the nearest right one.
template <typename Enum, typename Symbolize, typename Stringify>
static ParseResult parseName(AsmParser &parser, StringRef what, Enum &value,
                             Symbolize symbolize, Stringify stringify,
                             uint32_t last) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseKeyword(&name)))
    return failure();
  if (std::optional<Enum> found = symbolize(name)) {
    value = *found;
    return success();
  }
  StringRef nearest;
  unsigned best = 1 + name.size() / 3;
  for (uint32_t i = 0; i <= last; ++i) {
    StringRef candidate = stringify(static_cast<Enum>(i));
    unsigned distance =
        candidate.empty() ? ~0u : name.edit_distance(candidate, true, best);
    if (distance < best || (distance == best && nearest.empty()))
      nearest = candidate, best = distance;
  }
  auto diagnostic = parser.emitError(loc)
                    << "unknown " << what << " '" << name << "'";
  if (!nearest.empty())
    diagnostic << "; did you mean '" << nearest << "'?";
  return diagnostic;
}

static ParseResult parseFeature(AsmParser &parser, Feature &feature) {
  return parseName(
      parser, "feature", feature,
      [](StringRef name) { return symbolizeFeature(name); }, stringifyFeature,
      getMaxEnumValForFeature());
}

static ParseResult parseBottleneck(AsmParser &parser, Bottleneck &bottleneck) {
  return parseName(
      parser, "bottleneck", bottleneck,
      [](StringRef name) { return symbolizeBottleneck(name); },
      stringifyBottleneck, getMaxEnumValForBottleneck());
}

/// A number with or without a fraction: 4, 0.5, -1, 1e9.
static ParseResult parseNumber(AsmParser &parser, FloatAttr &number) {
  Attribute attribute;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseAttribute(attribute)))
    return failure();
  Builder builder(parser.getContext());
  if (auto value = dyn_cast<FloatAttr>(attribute);
      value && value.getType().isF64())
    number = value;
  else if (auto value = dyn_cast<BoolAttr>(attribute))
    number = builder.getF64FloatAttr(value.getValue());
  else if (auto value = dyn_cast<IntegerAttr>(attribute);
           value && value.getType().isInteger(64))
    number = builder.getF64FloatAttr(static_cast<double>(value.getInt()));
  else
    return parser.emitError(loc) << "expected a number";
  return success();
}

/// The shortest text that reads back as the same number.
static void printNumber(AsmPrinter &printer, FloatAttr number) {
  double value = number.getValueAsDouble();
  if (value == std::floor(value) && std::fabs(value) < 1e15) {
    printer << static_cast<int64_t>(value);
    return;
  }
  std::string text = llvm::formatv("{0:f9}", value).str();
  StringRef shortest = StringRef(text).rtrim('0');
  double back;
  if (!shortest.getAsDouble(back) && back == value)
    printer << shortest;
  else
    printer.printFloat(number.getValue());
}

static ParseResult parseValueOf(AsmParser &parser, Feature feature,
                                FloatAttr &number) {
  if (feature != Feature::Kind)
    return parseNumber(parser, number);
  DispatchKind kind;
  if (failed(parseName(
          parser, "kind", kind,
          [](StringRef name) { return symbolizeDispatchKind(name); },
          stringifyDispatchKind, getMaxEnumValForDispatchKind())))
    return failure();
  number =
      Builder(parser.getContext()).getF64FloatAttr(static_cast<double>(kind));
  return success();
}

static void printValueOf(AsmPrinter &printer, Feature feature,
                         FloatAttr number) {
  if (feature == Feature::Kind)
    if (std::optional<DispatchKind> kind = symbolizeDispatchKind(
            static_cast<uint32_t>(number.getValueAsDouble()))) {
      printer << stringifyDispatchKind(*kind);
      return;
    }
  printNumber(printer, number);
}

static LogicalResult verifyValue(EmitError emitError, Feature feature,
                                 FloatAttr number) {
  auto [low, high] = featureRange(feature);
  double value = number.getValueAsDouble();
  if (value >= low && value <= high)
    return success();
  auto diagnostic = emitError() << "value of '" << stringifyFeature(feature)
                                << "' must be ";
  if (high < std::numeric_limits<double>::max())
    diagnostic << "from " << low << " to " << high;
  else
    diagnostic << "at least " << low;
  return diagnostic << ", but is " << value;
}

//===----------------------------------------------------------------------===//
// Features, gates
//===----------------------------------------------------------------------===//

Attribute FeaturesAttr::parse(AsmParser &parser, Type) {
  SmallVector<FeatureValue> values;
  auto parseOne = [&]() -> ParseResult {
    Feature feature;
    FloatAttr number;
    if (failed(parseFeature(parser, feature)) || failed(parser.parseEqual()) ||
        failed(parseValueOf(parser, feature, number)))
      return failure();
    values.push_back({feature, number});
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseCommaSeparatedList(
          AsmParser::Delimiter::OptionalLessGreater, parseOne)))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    values);
}

void FeaturesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getValues(), printer, [&](const FeatureValue &value) {
    printer << stringifyFeature(value.first) << " = ";
    printValueOf(printer, value.first, value.second);
  });
  printer << ">";
}

LogicalResult FeaturesAttr::verify(EmitError emitError,
                                   ArrayRef<FeatureValue> values) {
  llvm::SmallDenseSet<uint32_t> seen;
  for (auto [feature, number] : values) {
    if (!seen.insert(static_cast<uint32_t>(feature)).second)
      return emitError() << "feature '" << stringifyFeature(feature)
                         << "' is given twice";
    if (failed(verifyValue(emitError, feature, number)))
      return failure();
  }
  return success();
}

std::optional<double> FeaturesAttr::lookup(Feature feature) const {
  for (auto [name, number] : getValues())
    if (name == feature)
      return number.getValueAsDouble();
  return std::nullopt;
}

Attribute GateAttr::parse(AsmParser &parser, Type) {
  Feature feature;
  Comparison comparison;
  FloatAttr number;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseLess()) || failed(parseFeature(parser, feature)) ||
      failed(parser.parseComma()) ||
      failed(parseName(
          parser, "comparison", comparison,
          [](StringRef name) { return symbolizeComparison(name); },
          stringifyComparison, getMaxEnumValForComparison())) ||
      failed(parser.parseComma()) ||
      failed(parseValueOf(parser, feature, number)) ||
      failed(parser.parseGreater()))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    feature, comparison, number);
}

void GateAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyFeature(getFeature()) << ", "
          << stringifyComparison(getComparison()) << ", ";
  printValueOf(printer, getFeature(), getNumber());
  printer << ">";
}

LogicalResult GateAttr::verify(EmitError emitError, Feature feature, Comparison,
                               FloatAttr number) {
  return verifyValue(emitError, feature, number);
}

static LogicalResult verifyConditions(EmitError emitError,
                                      ArrayRef<Attribute> conditions) {
  if (conditions.empty())
    return emitError() << "expected at least one condition";
  for (Attribute condition : conditions)
    if (!isa<GateAttr, AllAttr, AnyAttr>(condition))
      return emitError() << "expected a #kernelskill.gate, "
                            "#kernelskill.all or #kernelskill.any, but got "
                         << condition;
  return success();
}

LogicalResult AllAttr::verify(EmitError emitError,
                              ArrayRef<Attribute> conditions) {
  return verifyConditions(emitError, conditions);
}
LogicalResult AnyAttr::verify(EmitError emitError,
                              ArrayRef<Attribute> conditions) {
  return verifyConditions(emitError, conditions);
}

//===----------------------------------------------------------------------===//
// Skills, diagnoses
//===----------------------------------------------------------------------===//

static ParseResult parseBottlenecks(AsmParser &parser,
                                    SmallVector<Bottleneck> &bottlenecks) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parseBottleneck(parser, bottlenecks.emplace_back());
  });
}

static void printBottlenecks(AsmPrinter &printer,
                             ArrayRef<Bottleneck> bottlenecks) {
  printer << "[";
  llvm::interleaveComma(bottlenecks, printer, [&](Bottleneck bottleneck) {
    printer << stringifyBottleneck(bottleneck);
  });
  printer << "]";
}

static LogicalResult verifyNames(EmitError emitError, StringRef key,
                                 ArrayAttr names) {
  for (Attribute name : names ? names.getValue() : ArrayRef<Attribute>())
    if (!isa<StringAttr>(name))
      return emitError() << "'" << key << "' must list strings, but has "
                         << name;
  return success();
}

LogicalResult
SkillAttr::verify(EmitError emitError, Stage, ArrayRef<Bottleneck> serves,
                  Numerics, StringAttr why, StringAttr cue, StringAttr source,
                  Attribute when, Attribute veto, ArrayAttr excludes,
                  ArrayAttr needs, ArrayAttr chips, ArrayAttr expects) {
  if (serves.empty())
    return emitError() << "'serves' must name at least one bottleneck";
  for (auto [key, text] : {std::pair<StringRef, StringAttr>{"why", why},
                           {"cue", cue},
                           {"source", source}})
    if (text.getValue().trim().empty())
      return emitError() << "'" << key << "' must not be empty";
  for (auto [key, condition] :
       {std::pair<StringRef, Attribute>{"when", when}, {"veto", veto}})
    if (condition && !isa<GateAttr, AllAttr, AnyAttr>(condition))
      return emitError() << "'" << key
                         << "' must be a #kernelskill.gate, #kernelskill.all "
                            "or #kernelskill.any, but is "
                         << condition;
  for (Attribute expectation :
       expects ? expects.getValue() : ArrayRef<Attribute>())
    if (!isa<ExpectAttr>(expectation))
      return emitError() << "'expects' must list #kernelskill.expect "
                            "attributes, but has "
                         << expectation;
  return success(succeeded(verifyNames(emitError, "excludes", excludes)) &&
                 succeeded(verifyNames(emitError, "needs", needs)) &&
                 succeeded(verifyNames(emitError, "chips", chips)));
}

Attribute DiagnosisAttr::parse(AsmParser &parser, Type) {
  FloatAttr time, bound;
  SmallVector<HeldBack> heldBack;
  auto parseOne = [&]() -> ParseResult {
    HeldBack held;
    if (failed(parseBottleneck(parser, held.first)) ||
        failed(parser.parseEqual()))
      return failure();
    return success(succeeded(parseNumber(parser, held.second)) &&
                   (heldBack.push_back(held), true));
  };
  StringRef how;
  auto parseKnown = [&](FloatAttr &number) -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("unknown")))
      return success();
    return parseNumber(parser, number);
  };
  if (failed(parser.parseLess()) || failed(parser.parseKeyword("time_us")) ||
      failed(parser.parseEqual()) || failed(parseKnown(time)) ||
      failed(parser.parseComma()) || failed(parser.parseKeyword("bound_us")) ||
      failed(parser.parseEqual()) || failed(parseKnown(bound)) ||
      failed(parser.parseComma()))
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseKeyword(&how)))
    return {};
  if (how != "measured" && how != "estimated") {
    parser.emitError(loc) << "expected 'measured' or 'estimated'";
    return {};
  }
  if (failed(parser.parseComma()) ||
      failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            parseOne)) ||
      failed(parser.parseGreater()))
    return {};
  return get(parser.getContext(), time, bound, how == "measured", heldBack);
}

void DiagnosisAttr::print(AsmPrinter &printer) const {
  auto printKnown = [&](FloatAttr number) {
    if (number)
      printNumber(printer, number);
    else
      printer << "unknown";
  };
  printer << "<time_us = ";
  printKnown(getTimeUs());
  printer << ", bound_us = ";
  printKnown(getBoundUs());
  printer << ", " << (getMeasured() ? "measured" : "estimated") << ", [";
  llvm::interleaveComma(getHeldBack(), printer, [&](const HeldBack &held) {
    printer << stringifyBottleneck(held.first) << " = ";
    printNumber(printer, held.second);
  });
  printer << "]>";
}

//===----------------------------------------------------------------------===//
// Dispatches, recipes
//===----------------------------------------------------------------------===//

static bool isHash(StringRef text) {
  return text.size() == 16 && llvm::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

LogicalResult ArgumentAttr::verify(EmitError emitError, StringRef, Role,
                                   Draw draw, FloatAttr scale,
                                   FloatAttr shift) {
  if (draw != Draw::Dropout)
    return success();
  double value = scale ? scale.getValueAsDouble() : 1;
  if (!(value >= 1) || !std::isfinite(value))
    return emitError() << "a dropout's scale is 1 / (1 - its probability), so "
                          "at least 1, but is "
                       << value;
  if (shift)
    return emitError() << "a dropout's mask has no shift";
  return success();
}

LogicalResult DispatchAttr::verify(EmitError emitError, DispatchKind,
                                   StringRef fingerprint) {
  if (!isHash(fingerprint))
    return emitError() << "fingerprint must be 16 lower-case hexadecimal "
                          "digits, but is '"
                       << fingerprint << "'";
  return success();
}

LogicalResult RecipeAttr::verify(EmitError emitError, unsigned version,
                                 StringRef payload, StringRef chip, Numerics) {
  if (version == 0)
    return emitError() << "version must be at least 1";
  if (!payload.empty() && !isHash(payload))
    return emitError() << "payload hash must be empty or 16 lower-case "
                          "hexadecimal digits, but is '"
                       << payload << "'";
  if (chip.empty())
    return emitError() << "chip must not be empty";
  return success();
}

LogicalResult StepAttr::verify(EmitError emitError, StringRef skill,
                               Stage stage, StringRef dispatch) {
  if (skill.empty())
    return emitError() << "the skill's name must not be empty";
  if (stage == Stage::Graph ? !dispatch.empty() : !isHash(dispatch))
    return emitError()
           << (stage == Stage::Graph
                   ? "a graph step has no target dispatch, but "
                     "this one has '"
                   : "the target of a step must be a fingerprint "
                     "of 16 lower-case hexadecimal digits, but is '")
           << dispatch << "'";
  return success();
}

#define GET_ATTRDEF_CLASSES
#include "KernelSkill/IR/KernelSkillAttributes.cpp.inc"

void KernelSkillDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KernelSkill/IR/KernelSkillAttributes.cpp.inc"
      >();
}
