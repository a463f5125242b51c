// Resolves the knobs of a step.
#include "RecipeKnobs.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace kernelskill;
using transform::tune::KnobOp;

std::string kernelskill::knobText(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os, /*elideType=*/true);
  return text;
}

static LogicalResult resolveKnob(KnobOp knob, const KnobAssignment &knobs) {
  auto options = dyn_cast<ArrayAttr>(knob.getOptions());
  if (!options || options.empty())
    return knob.emitError() << "knob '" << knob.getName().getValue()
                            << "' must list its options in an array";
  auto assigned = knobs.find(knob.getName().str());
  if (assigned == knobs.end()) {
    if (!knob.getSelectedAttr())
      knob.setSelectedAttr(options[0]);
    return success();
  }
  for (Attribute option : options)
    if (knobText(option) == assigned->second) {
      knob.setSelectedAttr(option);
      return success();
    }
  return knob.emitError() << "knob '" << knob.getName().getValue()
                          << "' has no option " << assigned->second
                          << "; it has " << options;
}

LogicalResult
kernelskill::resolveKnobs(ArrayRef<transform::NamedSequenceOp> sequences,
                          const KnobAssignment &knobs) {
  std::set<std::string> names;
  for (transform::NamedSequenceOp sequence : sequences) {
    WalkResult result = sequence.walk([&](KnobOp knob) {
      names.insert(knob.getName().str());
      return WalkResult(resolveKnob(knob, knobs));
    });
    if (result.wasInterrupted())
      return failure();
  }
  for (const auto &[name, value] : knobs)
    if (!names.count(name)) {
      transform::NamedSequenceOp step = sequences.front();
      return step.emitError() << "the step has no knob '" << name << "'";
    }
  return success();
}
