// Evaluates conditions over features.
#include "Conditions.h"

using namespace mlir;
using namespace kernelskill;

static bool compare(double a, Comparison comparison, double b) {
  switch (comparison) {
  case Comparison::Lt:
    return a < b;
  case Comparison::Le:
    return a <= b;
  case Comparison::Gt:
    return a > b;
  case Comparison::Ge:
    return a >= b;
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  }
  return false;
}

static std::string valueText(Feature feature, double value) {
  if (feature == Feature::Kind)
    return stringifyDispatchKind(static_cast<DispatchKind>(value)).str();
  return llvm::formatv("{0}", llvm::format("%.4g", value)).str();
}

static ConditionResult evaluateGate(GateAttr gate, const FeatureSet &features) {
  Feature feature = gate.getFeature();
  std::optional<double> value = features.get(feature);
  std::string name = stringifyFeature(feature).str();
  if (!value)
    return {Truth::Unknown, name + " is not known", 1};
  double number = gate.getNumber().getValueAsDouble();
  if (compare(*value, gate.getComparison(), number))
    return {};
  return {Truth::No,
          name + " is " + valueText(feature, *value) + ", not " +
              stringifyComparison(gate.getComparison()).str() + " " +
              valueText(feature, number),
          0};
}

/// `all` takes its least true condition, `any` its most true one.
static ConditionResult evaluateList(ArrayRef<Attribute> conditions, bool isAll,
                                    const FeatureSet &features) {
  std::optional<ConditionResult> decided;
  unsigned unknown = 0;
  for (Attribute condition : conditions) {
    ConditionResult result = evaluateCondition(condition, features);
    unknown += result.unknown;
    if (!decided ||
        (isAll ? result.truth < decided->truth : result.truth > decided->truth))
      decided = result;
    else if (!isAll && result.truth == decided->truth &&
             result.truth != Truth::Yes)
      decided->reason += " and " + result.reason;
  }
  decided->unknown = decided->truth == Truth::Unknown ? unknown : 0;
  return *decided;
}

ConditionResult kernelskill::evaluateCondition(Attribute condition,
                                               const FeatureSet &features) {
  if (auto gate = dyn_cast_or_null<GateAttr>(condition))
    return evaluateGate(gate, features);
  if (auto all = dyn_cast_or_null<AllAttr>(condition))
    return evaluateList(all.getConditions(), /*isAll=*/true, features);
  if (auto any = dyn_cast_or_null<AnyAttr>(condition))
    return evaluateList(any.getConditions(), /*isAll=*/false, features);
  return {};
}
