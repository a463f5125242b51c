// Reads, checks, lists, hashes and prints recipes.
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Analysis/Chip.h"
#include "RecipeKnobs.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace kernelskill;
using transform::NamedSequenceOp;
using transform::tune::KnobOp;

/// The module's text without locations.
static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo(false).useLocalScope());
  return text;
}

static std::string hashOf(StringRef text) {
  return llvm::formatv("{0:x-16}",
                       llvm::xxh3_64bits(llvm::arrayRefFromStringRef(text)))
      .str();
}

std::string kernelskill::payloadHash(ModuleOp payload) {
  // What passes have found out about it does not make it another payload.
  OwningOpRef<ModuleOp> copy = payload.clone();
  copy->walk([](Operation *op) {
    for (StringRef projection : {kFeaturesAttr, kDiagnosisAttr, kPlanAttr})
      op->removeDiscardableAttr(projection);
  });
  return hashOf(textOf(*copy));
}

std::string kernelskill::printRecipe(ModuleOp recipe) {
  return textOf(recipe) + "\n";
}

std::string kernelskill::canonicalHash(ModuleOp recipe) {
  OwningOpRef<ModuleOp> copy = recipe.clone();
  copy->walk([](KnobOp knob) {
    knob.setOptionsAttr(
        ArrayAttr::get(knob.getContext(), {knob.getSelectedAttr()}));
  });
  return hashOf(textOf(*copy));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyHeader(ModuleOp recipe) {
  auto header = recipe->getAttrOfType<RecipeAttr>(kRecipeAttr);
  if (!header)
    return recipe.emitError()
           << "is no recipe: a recipe is a module with '" << kRecipeAttr << "'";
  if (header.getVersion() != kRecipeVersion)
    return recipe.emitError()
           << "the recipe has version " << header.getVersion()
           << ", but this KernelSkill reads version " << kRecipeVersion
           << "; make it anew with 'kernelskill optimize'";
  llvm::Expected<const Chip *> chip = findChip(header.getChip());
  if (!chip)
    return recipe.emitError() << llvm::toString(chip.takeError());
  if (!recipe->hasAttr(transform::TransformDialect::kWithNamedSequenceAttrName))
    return recipe.emitError()
           << "a recipe must have the attribute '"
           << transform::TransformDialect::kWithNamedSequenceAttrName << "'";
  return success();
}

/// One handle in, nothing out, and knobs that are resolved.
static LogicalResult verifySequence(NamedSequenceOp sequence, bool isStep) {
  if (sequence.isExternal())
    return sequence.emitError() << "a recipe is closed, but this has no body";
  FunctionType type = sequence.getFunctionType();
  if (isStep && (type.getNumInputs() != 1 || type.getNumResults() != 0))
    return sequence.emitError()
           << "a step takes one handle and returns nothing, but this one has "
           << "type " << type;
  WalkResult result = sequence.walk([&](Operation *op) {
    if (auto knob = dyn_cast<KnobOp>(op); knob && !knob.getSelectedAttr()) {
      knob.emitError() << "knob '" << knob.getName().getValue()
                       << "' of a recipe must have a selected value";
      return WalkResult::interrupt();
    }
    if (isa<transform::tune::AlternativesOp>(op)) {
      op->emitError() << "a recipe has no open alternatives; use a knob";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyOrder(ArrayRef<NamedSequenceOp> steps) {
  llvm::StringMap<NamedSequenceOp> strategies;
  StepAttr previous;
  for (auto [index, op] : llvm::enumerate(steps)) {
    NamedSequenceOp sequence = op;
    auto step = sequence->getAttrOfType<StepAttr>(kStepAttr);
    std::string name = ("step_" + Twine(index)).str();
    if (sequence.getSymName() != name)
      return sequence.emitError()
             << "step " << index << " must be named '@" << name << "'";
    if (previous && previous.getStage() > step.getStage())
      return sequence.emitError()
             << "a " << stringifyStage(step.getStage())
             << " step can't follow a " << stringifyStage(previous.getStage())
             << " step: graph steps come first, then strategies, then "
                "refinements";
    if (step.getStage() == Stage::Strategy) {
      auto [other, fresh] =
          strategies.try_emplace(step.getDispatch(), sequence);
      if (!fresh) {
        auto diagnostic = sequence.emitError()
                          << "dispatch '" << step.getDispatch()
                          << "' has two strategies";
        diagnostic.attachNote(other->second.getLoc()) << "the other one";
        return diagnostic;
      }
    }
    previous = step;
  }
  return success();
}

LogicalResult kernelskill::verifyRecipe(ModuleOp recipe) {
  if (failed(verifyHeader(recipe)))
    return failure();
  SmallVector<NamedSequenceOp> steps;
  for (Operation &op : recipe.getBodyRegion().getOps()) {
    auto sequence = dyn_cast<NamedSequenceOp>(op);
    if (!sequence)
      return op.emitError() << "a recipe holds named sequences only";
    bool isStep = sequence->hasAttr(kStepAttr);
    if (!isStep && SymbolTable::symbolKnownUseEmpty(sequence, recipe))
      return sequence.emitError()
             << "is neither a step ('" << kStepAttr << "') nor included by one";
    if (failed(verifySequence(sequence, isStep)))
      return failure();
    if (isStep)
      steps.push_back(sequence);
  }
  return verifyOrder(steps);
}

//===----------------------------------------------------------------------===//
// Reading and listing
//===----------------------------------------------------------------------===//

static FailureOr<OwningOpRef<ModuleOp>>
parseBuffer(MLIRContext *context, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  context->getOrLoadDialect<KernelSkillDialect>();
  context->getOrLoadDialect<transform::TransformDialect>();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> recipe = parseSourceFile<ModuleOp>(sources, context);
  if (!recipe || failed(verifyRecipe(*recipe)))
    return failure();
  return recipe;
}

FailureOr<OwningOpRef<ModuleOp>> kernelskill::readRecipe(MLIRContext *context,
                                                         StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return emitError(UnknownLoc::get(context))
           << "can't read the recipe '" << path
           << "': " << buffer.getError().message();
  return parseBuffer(context, std::move(*buffer));
}

FailureOr<OwningOpRef<ModuleOp>>
kernelskill::parseRecipe(MLIRContext *context, StringRef text, StringRef name) {
  return parseBuffer(context, llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

std::vector<RecipeStep> kernelskill::listSteps(ModuleOp recipe) {
  std::vector<RecipeStep> steps;
  for (NamedSequenceOp sequence : recipe.getOps<NamedSequenceOp>()) {
    if (auto step = sequence->getAttrOfType<StepAttr>(kStepAttr))
      steps.push_back({static_cast<unsigned>(steps.size()),
                       step.getSkill().str(),
                       step.getStage(),
                       step.getDispatch().str(),
                       {},
                       sequence});
    // What a step includes follows it, and its knobs are the step's.
    sequence.walk([&](KnobOp knob) {
      if (!steps.empty() && knob.getSelectedAttr())
        steps.back().knobs[knob.getName().str()] =
            knobText(knob.getSelectedAttr());
    });
  }
  return steps;
}

llvm::json::Object kernelskill::summarizeRecipe(ModuleOp recipe) {
  RecipeHeader header = recipeHeader(recipe);
  llvm::json::Array steps;
  for (const RecipeStep &step : listSteps(recipe)) {
    llvm::json::Object knobs;
    for (const auto &[name, value] : step.knobs)
      knobs[name] = value;
    steps.push_back(llvm::json::Object{{"skill", step.skill},
                                       {"stage", stringifyStage(step.stage)},
                                       {"dispatch", step.dispatch},
                                       {"knobs", std::move(knobs)}});
  }
  return llvm::json::Object{{"payload", header.payload},
                            {"chip", header.chip},
                            {"numerics", stringifyNumerics(header.numerics)},
                            {"hash", canonicalHash(recipe)},
                            {"steps", std::move(steps)}};
}
