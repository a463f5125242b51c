// The kernelskill dialect: attributes that say what is known of a program.
#ifndef KERNELSKILL_IR_KERNELSKILLDIALECT_H
#define KERNELSKILL_IR_KERNELSKILLDIALECT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "KernelSkill/IR/KernelSkillDialect.h.inc"
#include "KernelSkill/IR/KernelSkillEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelSkill/IR/KernelSkillAttributes.h.inc"

namespace kernelskill {
// Names of the discardable attributes that the dialect verifies.
inline constexpr llvm::StringLiteral kArgumentAttr = "kernelskill.argument";
inline constexpr llvm::StringLiteral kDispatchAttr = "kernelskill.dispatch";
/// Marks the out-arguments of a kernel stage's host function.
inline constexpr llvm::StringLiteral kResultAttr = "kernelskill.result";
} // namespace kernelskill

#endif // KERNELSKILL_IR_KERNELSKILLDIALECT_H
