// Operations of the kernelskill dialect.
#ifndef KERNELSKILL_IR_KERNELSKILLOPS_H
#define KERNELSKILL_IR_KERNELSKILLOPS_H

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "KernelSkill/IR/KernelSkillOps.h.inc"

namespace kernelskill {
/// Lets one-shot bufferization bring the dialect's ops from tensors to memrefs.
void registerBufferization(mlir::DialectRegistry &registry);
} // namespace kernelskill

#endif // KERNELSKILL_IR_KERNELSKILLOPS_H
