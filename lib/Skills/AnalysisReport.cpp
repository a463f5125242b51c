// The analysis report as JSON.
#include "KernelSkill/Skills/AnalysisReport.h"

using namespace kernelskill;

const DispatchReport *AnalysisReport::find(llvm::StringRef fingerprint) const {
  for (const DispatchReport &dispatch : dispatches)
    if (dispatch.fingerprint == fingerprint)
      return &dispatch;
  return nullptr;
}

bool AnalysisReport::hasSkills() const {
  return !graphMatches.empty() ||
         llvm::any_of(dispatches, [](const DispatchReport &dispatch) {
           return !dispatch.skills.empty();
         });
}

static llvm::json::Object
matchesToJson(const std::map<std::string, std::string> &matches) {
  llvm::json::Object object;
  for (const auto &[skill, reason] : matches)
    object[skill] = reason;
  return object;
}

static llvm::json::Object toJson(const SkillReport &skill) {
  llvm::json::Array settings;
  for (const KnobAssignment &knobs : skill.settings) {
    llvm::json::Object setting;
    for (const auto &[name, value] : knobs)
      setting[name] = value;
    settings.push_back(std::move(setting));
  }
  return llvm::json::Object{{"mismatch", skill.mismatch},
                            {"settings", std::move(settings)},
                            {"refusal", skill.refusal}};
}

llvm::json::Object AnalysisReport::toJson() const {
  llvm::json::Array list;
  for (const DispatchReport &dispatch : dispatches) {
    llvm::json::Array kernels;
    for (const KernelReport &kernel : dispatch.kernels)
      kernels.push_back(llvm::json::Object{
          {"name", kernel.name}, {"features", kernel.features.toJson()}});
    llvm::json::Object skills;
    for (const auto &[name, skill] : dispatch.skills)
      skills[name] = ::toJson(skill);
    list.push_back(
        llvm::json::Object{{"fingerprint", dispatch.fingerprint},
                           {"function", dispatch.function},
                           {"kind", stringifyDispatchKind(dispatch.kind)},
                           {"instances", dispatch.instances},
                           {"work", dispatch.work.toJson()},
                           {"kernels", std::move(kernels)},
                           {"skills", std::move(skills)}});
  }
  return llvm::json::Object{{"version", 1},
                            {"chip", chip},
                            {"graphMatches", matchesToJson(graphMatches)},
                            {"dispatches", std::move(list)}};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("the analysis report has no valid " + what +
                                 "; build the candidate anew");
}

static llvm::Error readMatches(const llvm::json::Object &object,
                               llvm::StringRef key,
                               std::map<std::string, std::string> &matches) {
  const llvm::json::Object *entries = object.getObject(key);
  if (!entries)
    return malformed("'" + key + "'");
  for (const auto &[skill, reason] : *entries) {
    auto text = reason.getAsString();
    if (!text)
      return malformed("'" + key + "'");
    matches[skill.str()] = text->str();
  }
  return llvm::Error::success();
}

static llvm::Error readSkills(const llvm::json::Object &object,
                              std::map<std::string, SkillReport> &skills) {
  const llvm::json::Object *entries = object.getObject("skills");
  if (!entries)
    return malformed("'skills'");
  for (const auto &[name, value] : *entries) {
    const llvm::json::Object *entry = value.getAsObject();
    auto mismatch = entry ? entry->getString("mismatch") : std::nullopt;
    auto refusal = entry ? entry->getString("refusal") : std::nullopt;
    const llvm::json::Array *settings =
        entry ? entry->getArray("settings") : nullptr;
    if (!mismatch || !refusal || !settings)
      return malformed("entry for skill '" + name.str() + "'");
    SkillReport &skill = skills[name.str()];
    skill.mismatch = mismatch->str();
    skill.refusal = refusal->str();
    for (const llvm::json::Value &setting : *settings) {
      if (!setting.getAsObject())
        return malformed("knob setting of skill '" + name.str() + "'");
      KnobAssignment &knobs = skill.settings.emplace_back();
      for (const auto &[knob, text] : *setting.getAsObject())
        knobs[knob.str()] = text.getAsString().value_or("").str();
    }
  }
  return llvm::Error::success();
}

static llvm::Error readFeatures(const llvm::json::Object &object,
                                llvm::StringRef key, FeatureSet &features) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return malformed("'" + key + "'");
  auto parsed = FeatureSet::fromJson(*value);
  if (!parsed)
    return parsed.takeError();
  features = std::move(*parsed);
  return llvm::Error::success();
}

static llvm::Expected<DispatchReport>
readDispatch(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  auto fingerprint = object ? object->getString("fingerprint") : std::nullopt;
  auto function = object ? object->getString("function") : std::nullopt;
  auto kindName = object ? object->getString("kind") : std::nullopt;
  auto instances = object ? object->getInteger("instances") : std::nullopt;
  auto kind = kindName ? symbolizeDispatchKind(*kindName) : std::nullopt;
  const llvm::json::Array *kernels =
      object ? object->getArray("kernels") : nullptr;
  if (!fingerprint || !function || !kind || !instances || !kernels)
    return malformed("dispatch");
  DispatchReport dispatch;
  dispatch.fingerprint = fingerprint->str();
  dispatch.function = function->str();
  dispatch.kind = *kind;
  dispatch.instances = static_cast<unsigned>(*instances);
  for (const llvm::json::Value &entry : *kernels) {
    const llvm::json::Object *kernel = entry.getAsObject();
    auto name = kernel ? kernel->getString("name") : std::nullopt;
    if (!name)
      return malformed("kernel");
    dispatch.kernels.push_back({name->str(), {}});
    if (llvm::Error error =
            readFeatures(*kernel, "features", dispatch.kernels.back().features))
      return error;
  }
  if (llvm::Error error = readFeatures(*object, "work", dispatch.work))
    return error;
  if (llvm::Error error = readSkills(*object, dispatch.skills))
    return error;
  return dispatch;
}

llvm::Expected<AnalysisReport>
AnalysisReport::fromJson(const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  auto version = object ? object->getInteger("version") : std::nullopt;
  auto chip = object ? object->getString("chip") : std::nullopt;
  const llvm::json::Array *list =
      object ? object->getArray("dispatches") : nullptr;
  if (version != 1 || !chip || !list)
    return malformed("version, chip or list of dispatches");
  AnalysisReport report;
  report.chip = chip->str();
  if (llvm::Error error =
          readMatches(*object, "graphMatches", report.graphMatches))
    return error;
  for (const llvm::json::Value &entry : *list) {
    auto dispatch = readDispatch(entry);
    if (!dispatch)
      return dispatch.takeError();
    report.dispatches.push_back(std::move(*dispatch));
  }
  return report;
}
