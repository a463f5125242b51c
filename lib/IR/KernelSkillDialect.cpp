// Registration of the kernelskill dialect and the verifiers of its attributes.
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelskill;

#include "KernelSkill/IR/KernelSkillDialect.cpp.inc"
#include "KernelSkill/IR/KernelSkillEnums.cpp.inc"

void KernelSkillDialect::initialize() {
  registerAttributes();
  registerOperations();
}

namespace {
/// Where an attribute of the dialect may stand.
enum class Place { Function, Sequence, Module };
} // namespace

static bool fits(Operation *op, Place place) {
  switch (place) {
  case Place::Function:
    return isa<FunctionOpInterface>(op) && !isa<transform::NamedSequenceOp>(op);
  case Place::Sequence:
    return isa<transform::NamedSequenceOp>(op);
  case Place::Module:
    return isa<ModuleOp>(op);
  }
  return false;
}

/// Checks that the attribute is a `kind` and stands on an op of that place.
template <typename Kind>
static LogicalResult verifyPlace(Operation *op, NamedAttribute attribute,
                                 Place place) {
  StringRef name = attribute.getName();
  if (!isa<Kind>(attribute.getValue()))
    return op->emitError() << "'" << name << "' must be a #" << Kind::name
                           << " attribute, but is " << attribute.getValue();
  if (!fits(op, place))
    return op->emitError() << "'" << name << "' belongs on "
                           << (place == Place::Function ? "a function"
                               : place == Place::Sequence
                                   ? "a transform.named_sequence"
                                   : "a module");
  return success();
}

/// A skill is a pair: the action that carries the attribute, and its matcher.
static LogicalResult verifySkillPair(Operation *op) {
  StringRef name = SymbolTable::getSymbolName(op).getValue();
  std::string matcher = ("match_" + name).str();
  Operation *table = SymbolTable::getNearestSymbolTable(op->getParentOp());
  if (!table || !isa_and_nonnull<transform::NamedSequenceOp>(
                    SymbolTable::lookupSymbolIn(table, matcher)))
    return op->emitError() << "skill '@" << name << "' has no matcher: '@"
                           << matcher << "' must stand beside it";
  return success();
}

LogicalResult
KernelSkillDialect::verifyOperationAttribute(Operation *op,
                                             NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kDispatchAttr)
    return verifyPlace<DispatchAttr>(op, attribute, Place::Function);
  if (name == kFeaturesAttr)
    return verifyPlace<FeaturesAttr>(op, attribute, Place::Function);
  if (name == kDiagnosisAttr)
    return verifyPlace<DiagnosisAttr>(op, attribute, Place::Function);
  if (name == kPlanAttr)
    return verifyPlace<PlanAttr>(op, attribute, Place::Module);
  if (name == kRecipeAttr)
    return verifyPlace<RecipeAttr>(op, attribute, Place::Module);
  if (name == kStepAttr)
    return verifyPlace<StepAttr>(op, attribute, Place::Sequence);
  if (name == kSkillAttr) {
    if (failed(verifyPlace<SkillAttr>(op, attribute, Place::Sequence)))
      return failure();
    return verifySkillPair(op);
  }
  return op->emitError() << "unknown attribute '" << name
                         << "' of the kernelskill dialect";
}

LogicalResult KernelSkillDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name != kBufferAttr)
    return op->emitError() << "unknown result attribute '" << name
                           << "' of the kernelskill dialect";
  if (!isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "'" << name << "' must be the buffer's name";
  return success();
}

LogicalResult
KernelSkillDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                             NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kResultAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "'" << name << "' must be a unit attribute";
    return success();
  }
  if (name == kBufferAttr)
    return verifyRegionResultAttribute(op, 0, 0, attribute);
  if (name != kArgumentAttr)
    return op->emitError() << "unknown argument attribute '" << name
                           << "' of the kernelskill dialect";
  if (!isa<ArgumentAttr>(attribute.getValue()))
    return op->emitError() << "'" << name
                           << "' must be a #kernelskill.argument attribute";
  return success();
}
