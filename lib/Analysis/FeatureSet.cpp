// FeatureSet: lookups and its forms as JSON and as an attribute.
#include "KernelSkill/Analysis/Features.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kernelskill;

std::optional<double> FeatureSet::get(Feature feature) const {
  auto found = values.find(feature);
  return found == values.end() ? std::nullopt
                               : std::optional<double>(found->second);
}

double FeatureSet::getOr(Feature feature, double other) const {
  return get(feature).value_or(other);
}

void FeatureSet::set(Feature feature, std::optional<double> value) {
  auto [low, high] = featureRange(feature);
  // Written so that NaN is out of range too.
  if (value && *value >= low && *value <= high)
    values[feature] = *value;
  else
    values.erase(feature);
}

void FeatureSet::merge(const FeatureSet &other) {
  for (auto [feature, value] : other.values)
    values[feature] = value;
}

llvm::json::Object FeatureSet::toJson() const {
  llvm::json::Object object;
  for (auto [feature, value] : values) {
    if (feature == Feature::Kind)
      object["kind"] =
          stringifyDispatchKind(static_cast<DispatchKind>(value)).str();
    else
      object[stringifyFeature(feature)] = value;
  }
  return object;
}

llvm::Expected<FeatureSet>
FeatureSet::fromJson(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return llvm::createStringError("features must be a JSON object");
  FeatureSet features;
  for (const auto &[key, entry] : *object) {
    std::optional<Feature> feature = symbolizeFeature(key.str());
    if (!feature)
      return llvm::createStringError("unknown feature '" + key.str() + "'");
    std::optional<double> number = entry.getAsNumber();
    if (*feature == Feature::Kind)
      if (auto name = entry.getAsString())
        if (auto kind = symbolizeDispatchKind(*name))
          number = static_cast<double>(*kind);
    features.set(*feature, number);
    if (!features.has(*feature))
      return llvm::createStringError("value of feature '" + key.str() +
                                     "' is out of range");
  }
  return features;
}

/// Four digits are more than estimates are worth; counts stay whole.
static double rounded(double value) {
  if (value == std::floor(value))
    return value;
  double result = value;
  StringRef(llvm::formatv("{0:e3}", value).str()).getAsDouble(result);
  return result;
}

FeaturesAttr FeatureSet::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<FeatureValue> entries;
  for (auto [feature, value] : values)
    entries.push_back({feature, builder.getF64FloatAttr(rounded(value))});
  return FeaturesAttr::get(context, entries);
}

FeatureSet FeatureSet::fromAttribute(FeaturesAttr attribute) {
  FeatureSet features;
  for (auto [feature, number] : attribute.getValues())
    features.set(feature, number.getValueAsDouble());
  return features;
}
