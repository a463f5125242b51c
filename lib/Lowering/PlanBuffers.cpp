// Buffers of a plan: from memref types, argument attributes and constants.
#include "HostPlan.h"

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace kernelskill;

std::optional<ElementType> kernelskill::toElementType(Type type) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  type.print(stream);
  return parseElementType(name);
}

FailureOr<BufferRecord>
kernelskill::describeBuffer(Operation *op, MemRefType type, StringRef what) {
  if (!type.hasStaticShape())
    return op->emitError() << what << " must have a static shape, but is "
                           << type;
  if (!type.getLayout().isIdentity())
    return op->emitError() << what << " must have the identity layout, but is "
                           << type;
  std::optional<ElementType> element = toElementType(type.getElementType());
  if (!element)
    return op->emitError() << what
                           << " must have elements of i1, i8, i16, i32, "
                              "i64, f16, bf16, f32 or f64, but is "
                           << type;
  BufferRecord record;
  record.type = *element;
  record.shape.assign(type.getShape().begin(), type.getShape().end());
  return record;
}

void kernelskill::describeArgument(Attribute attribute, unsigned number,
                                   BufferRecord &record) {
  record.kind = BufferKind::Argument;
  record.name = "arg" + std::to_string(number);
  record.role = "input";
  auto argument = dyn_cast_if_present<ArgumentAttr>(attribute);
  if (!argument)
    return;
  record.name = argument.getName().str();
  record.role = stringifyRole(argument.getRole()).str();
  record.draw.draw = stringifyDraw(argument.getDraw()).str();
  if (FloatAttr scale = argument.getScale())
    record.draw.scale = scale.getValueAsDouble();
  if (FloatAttr shift = argument.getShift())
    record.draw.shift = shift.getValueAsDouble();
}

FailureOr<std::string> kernelskill::constantBytes(Operation *op,
                                                  Attribute value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return op->emitError("its constant's bytes are not in the file");
    return std::string(blob->getData().data(), blob->getData().size());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return op->emitError("must have a dense constant as its value");
  std::string bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      bytes.push_back(char(bit));
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  bytes.assign(raw.data(), raw.size());
  if (dense.isSplat()) {
    std::string element = std::move(bytes);
    bytes.clear();
    bytes.reserve(element.size() * dense.getNumElements());
    for (int64_t i = 0, end = dense.getNumElements(); i < end; ++i)
      bytes += element;
  }
  return bytes;
}

/// Follows a pointer through views; anything whose effect is not known counts
/// as a write.
static bool mayWriteThrough(Value pointer) {
  for (Operation *user : pointer.getUsers()) {
    if (isa<ViewLikeOpInterface>(user)) {
      if (llvm::any_of(user->getResults(), mayWriteThrough))
        return true;
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    if (!effects || isa<memref::ExtractAlignedPointerAsIndexOp>(user))
      return true;
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &instance : instances)
      if (isa<MemoryEffects::Write>(instance.getEffect()) &&
          (!instance.getValue() || instance.getValue() == pointer))
        return true;
  }
  return false;
}

bool kernelskill::mayWrite(gpu::GPUFuncOp kernel, unsigned argument) {
  if (kernel.getArgAttr(argument, LLVM::LLVMDialect::getReadonlyAttrName()))
    return false;
  return mayWriteThrough(kernel.getArgument(argument));
}
