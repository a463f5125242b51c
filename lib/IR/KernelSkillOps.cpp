// Verifiers and effects of the dialect's operations.
#include "KernelSkill/IR/KernelSkillOps.h"

using namespace mlir;
using namespace kernelskill;

#define GET_OP_CLASSES
#include "KernelSkill/IR/KernelSkillOps.cpp.inc"

void KernelSkillDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "KernelSkill/IR/KernelSkillOps.cpp.inc"
      >();
}

void ScanOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<TensorType>(getInit().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable(),
                       SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getInitMutable(),
                       SideEffects::DefaultResource::get());
}

LogicalResult ScanOp::verify() {
  ShapedType input = getInputType();
  auto init = cast<ShapedType>(getInit().getType());
  if (isa<TensorType>(input) != isa<TensorType>(init))
    return emitOpError("must be on tensors or on memrefs, but reads ")
           << input << " and writes " << init;
  if (input.getShape() != init.getShape() ||
      input.getElementType() != init.getElementType())
    return emitOpError("must have outs of the input's shape and element type, "
                       "but reads ")
           << input << " and writes " << init;
  if (isa<TensorType>(init) != static_cast<bool>(getResult()))
    return emitOpError("must have a result on tensors and none on memrefs");
  if (getResult() && getResult().getType() != init)
    return emitOpError("must have a result of type ")
           << init << ", but it is " << getResult().getType();
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= input.getRank())
    return emitOpError("scans dimension ")
           << dimension << ", but the input has rank " << input.getRank();
  Type element = input.getElementType();
  if (getIdentity().getType() != element)
    return emitOpError("must have an identity of type ")
           << element << ", but it is " << getIdentity();
  Block &body = getCombiner().front();
  if (body.getNumArguments() != 2 ||
      llvm::any_of(body.getArgumentTypes(),
                   [&](Type type) { return type != element; }))
    return emitOpError("must have a region with two arguments of type ")
           << element << ": the accumulator and the element";
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValue().getType() != element)
    return emitOpError("must have a region that yields one ") << element;
  return success();
}
