// Registration of the kernelskill dialect and the verifiers of its attributes.
#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace kernelskill;

#include "KernelSkill/IR/KernelSkillDialect.cpp.inc"
#include "KernelSkill/IR/KernelSkillEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelSkill/IR/KernelSkillAttributes.cpp.inc"

void KernelSkillDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "KernelSkill/IR/KernelSkillAttributes.cpp.inc"
      >();
}

LogicalResult
DispatchAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     DispatchKind kind, StringRef fingerprint) {
  if (fingerprint.size() != 16 || !llvm::all_of(fingerprint, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      }))
    return emitError() << "fingerprint must be 16 lower-case hexadecimal "
                          "digits, but is '"
                       << fingerprint << "'";
  return success();
}

LogicalResult
KernelSkillDialect::verifyOperationAttribute(Operation *op,
                                             NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kDispatchAttr) {
    if (!isa<DispatchAttr>(attribute.getValue()))
      return op->emitError()
             << "'" << name << "' must be a #kernelskill.dispatch attribute";
    if (!isa<FunctionOpInterface>(op))
      return op->emitError() << "'" << name << "' belongs on a function";
    return success();
  }
  return op->emitError() << "unknown attribute '" << name
                         << "' of the kernelskill dialect";
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
  if (name != kArgumentAttr)
    return op->emitError() << "unknown argument attribute '" << name
                           << "' of the kernelskill dialect";
  if (!isa<ArgumentAttr>(attribute.getValue()))
    return op->emitError() << "'" << name
                           << "' must be a #kernelskill.argument attribute";
  return success();
}
