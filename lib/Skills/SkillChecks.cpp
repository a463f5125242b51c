// Checks one skill file. What the attributes' own verifiers find (a misspelt
// feature, a missing matcher) has been found by the parser.
#include "SkillChecks.h"
#include "KernelSkill/Analysis/Chip.h"
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace kernelskill;
using transform::NamedSequenceOp;
using transform::tune::KnobOp;

std::string kernelskill::skillName(StringRef symbol) {
  std::string name = symbol.str();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// The one action of the file. A matcher without its action is an error, too.
static FailureOr<NamedSequenceOp> findAction(ModuleOp module, StringRef file) {
  NamedSequenceOp action;
  for (auto sequence : module.getOps<NamedSequenceOp>()) {
    StringRef name = sequence.getSymName();
    if (name.consume_front("match_")) {
      auto other = module.lookupSymbol<NamedSequenceOp>(name);
      if (!other || !other->hasAttr(kSkillAttr))
        return sequence.emitError()
               << "matcher '@match_" << name << "' has no action: '@" << name
               << "' with '" << kSkillAttr << "' must stand beside it";
    }
    if (!sequence->hasAttr(kSkillAttr))
      continue;
    if (action) {
      auto diagnostic = sequence.emitError()
                        << "expected one skill in a file, but there are more";
      diagnostic.attachNote(action.getLoc()) << "the other one";
      return diagnostic;
    }
    action = sequence;
  }
  if (!action)
    return module.emitError() << "expected a skill, that is, a pair of named "
                                 "sequences '@match_<name>' and '@<name>', "
                                 "the latter with '"
                              << kSkillAttr << "'";
  StringRef stem = llvm::sys::path::stem(file);
  if (skillName(action.getSymName()) != stem)
    return action.emitError()
           << "the file of the skill '@" << action.getSymName()
           << "' must be named '" << skillName(action.getSymName())
           << ".mlir', but is '" << stem << ".mlir'";
  return action;
}

static LogicalResult checkSignature(NamedSequenceOp sequence) {
  FunctionType type = sequence.getFunctionType();
  if (!sequence.isExternal() && type.getNumInputs() == 1 &&
      type.getNumResults() == 0 &&
      isa<transform::TransformHandleTypeInterface>(type.getInput(0)))
    return success();
  return sequence.emitError()
         << "a skill's sequences take one handle and return nothing, but '@"
         << sequence.getSymName() << "' has type " << type;
}

/// Whether an op neither changes the payload nor uses up a handle.
static bool onlyReads(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      isa<transform::MatchOpInterface>(op))
    return true;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::none_of(instances, [](const auto &instance) {
    bool isPayload = isa<transform::PayloadIRResource>(instance.getResource());
    return (isPayload && isa<MemoryEffects::Write>(instance.getEffect())) ||
           (!isPayload && isa<MemoryEffects::Free>(instance.getEffect()));
  });
}

static LogicalResult checkMatcher(NamedSequenceOp matcher) {
  if (failed(checkSignature(matcher)))
    return failure();
  if (!matcher.getArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName))
    return matcher.emitError()
           << "the argument of a matcher must be marked '"
           << transform::TransformDialect::kArgReadOnlyAttrName << "'";
  WalkResult result = matcher.getBody().walk([](Operation *op) {
    if (onlyReads(op))
      return WalkResult::advance();
    op->emitError() << "'" << op->getName()
                    << "' may change the payload, but a matcher must "
                       "only read it";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult checkKnobs(ModuleOp module) {
  llvm::StringMap<KnobOp> names;
  WalkResult result = module.walk([&](Operation *op) {
    if (isa<transform::tune::AlternativesOp>(op)) {
      op->emitError() << "alternatives are not searched; use a knob";
      return WalkResult::interrupt();
    }
    auto knob = dyn_cast<KnobOp>(op);
    if (!knob)
      return WalkResult::advance();
    auto options = dyn_cast<ArrayAttr>(knob.getOptions());
    StringRef name = knob.getName().getValue();
    if (!options || options.empty()) {
      knob.emitError() << "knob '" << name
                       << "' must list its options in an array, the preferred "
                          "one first, but has "
                       << knob.getOptions();
      return WalkResult::interrupt();
    }
    auto [other, fresh] = names.try_emplace(name, knob);
    if (!fresh) {
      auto diagnostic = knob.emitError()
                        << "there are two knobs '" << name << "'";
      diagnostic.attachNote(other->second.getLoc()) << "the other one";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult checkChips(NamedSequenceOp action) {
  ArrayAttr chips = action->getAttrOfType<SkillAttr>(kSkillAttr).getChips();
  for (Attribute chip : chips ? chips.getValue() : ArrayRef<Attribute>()) {
    auto known = findChip(cast<StringAttr>(chip).getValue());
    if (!known)
      return action.emitError() << llvm::toString(known.takeError());
  }
  return success();
}

FailureOr<NamedSequenceOp> kernelskill::checkSkillModule(ModuleOp module,
                                                         StringRef file) {
  FailureOr<NamedSequenceOp> action = findAction(module, file);
  if (failed(action))
    return failure();
  auto matcher = module.lookupSymbol<NamedSequenceOp>(
      ("match_" + action->getSymName()).str());
  if (failed(checkSignature(*action)) || failed(checkMatcher(matcher)) ||
      failed(checkKnobs(module)) || failed(checkChips(*action)))
    return failure();
  return action;
}
