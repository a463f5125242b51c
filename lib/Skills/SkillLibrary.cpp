// Loads the folders of skills and checks the library as a whole.
#include "KernelSkill/Skills/SkillLibrary.h"
#include "RecipeKnobs.h"
#include "SkillChecks.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace kernelskill;
using transform::NamedSequenceOp;
using transform::tune::KnobOp;

/// The .mlir files of a folder and its subfolders, in order of their paths.
static FailureOr<std::vector<std::string>> filesOf(MLIRContext *context,
                                                   StringRef folder) {
  std::vector<std::string> files;
  std::error_code error;
  Location loc = UnknownLoc::get(context);
  if (!llvm::sys::fs::is_directory(folder))
    return emitError(loc) << "there is no folder of skills '" << folder << "'";
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  if (error)
    return emitError(loc) << "can't read the folder of skills '" << folder
                          << "': " << error.message();
  llvm::sort(files);
  return files;
}

/// Options as texts, without repeats, for each knob of the action.
static std::vector<Knob> knobsOf(ModuleOp module) {
  std::vector<Knob> knobs;
  module.walk([&](KnobOp op) {
    Knob knob{op.getName().str(), {}};
    for (Attribute option : cast<ArrayAttr>(op.getOptions()))
      knob.options.push_back(knobText(option));
    knobs.push_back(std::move(knob));
  });
  return knobs;
}

static LogicalResult checkNames(const SkillLibrary &library,
                                const Skill &skill) {
  bool isRight = true;
  for (auto [key, names] : {std::pair<StringRef, ArrayAttr>{
                                "excludes", skill.metadata.getExcludes()},
                            {"needs", skill.metadata.getNeeds()}})
    for (Attribute name : names ? names.getValue() : ArrayRef<Attribute>()) {
      StringRef text = cast<StringAttr>(name).getValue();
      if (library.find(text))
        continue;
      NamedSequenceOp action = skill.action;
      action.emitError() << "'" << key << "' of skill '" << skill.name
                         << "' names '" << text
                         << "', but there is no such skill";
      isRight = false;
    }
  return success(isRight);
}

FailureOr<SkillLibrary> SkillLibrary::load(MLIRContext *context,
                                           ArrayRef<std::string> folders) {
  context->getOrLoadDialect<KernelSkillDialect>();
  context->getOrLoadDialect<transform::TransformDialect>();
  SkillLibrary library;
  bool isRight = true;
  for (const std::string &folder : folders) {
    FailureOr<std::vector<std::string>> files = filesOf(context, folder);
    if (failed(files))
      return failure();
    for (const std::string &file : *files) {
      OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, context);
      FailureOr<NamedSequenceOp> action =
          module ? checkSkillModule(*module, file)
                 : FailureOr<NamedSequenceOp>(failure());
      if (failed(action)) {
        isRight = false;
        continue;
      }
      std::string name = skillName(action->getSymName());
      auto metadata = (*action)->getAttrOfType<SkillAttr>(kSkillAttr);
      auto matcher = module->lookupSymbol<NamedSequenceOp>(
          ("match_" + action->getSymName()).str());
      if (const Skill *other = library.find(name)) {
        auto diagnostic = action->emitError()
                          << "there are two skills '" << name << "'";
        NamedSequenceOp first = other->action;
        diagnostic.attachNote(first.getLoc()) << "the other one";
        isRight = false;
        continue;
      }
      library.skills.push_back({name, file, metadata.getStage(), metadata,
                                knobsOf(*module), matcher, *action});
      library.modules.push_back(std::move(module));
    }
  }
  for (const Skill &skill : library.skills)
    isRight &= succeeded(checkNames(library, skill));
  if (!isRight)
    return failure();
  llvm::sort(library.skills,
             [](const Skill &a, const Skill &b) { return a.name < b.name; });
  return library;
}

const Skill *SkillLibrary::find(StringRef name) const {
  auto found = llvm::find_if(
      skills, [&](const Skill &skill) { return skill.name == name; });
  return found == skills.end() ? nullptr : &*found;
}
