// The kernelskill dialect: attributes that say what is known of a program.
#ifndef KERNELSKILL_IR_KERNELSKILLDIALECT_H
#define KERNELSKILL_IR_KERNELSKILLDIALECT_H

#include "KernelSkill/IR/FeatureValue.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "KernelSkill/IR/KernelSkillDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "KernelSkill/IR/KernelSkillAttributes.h.inc"

namespace kernelskill {
// Names of the discardable attributes that the dialect verifies.
inline constexpr llvm::StringLiteral kArgumentAttr = "kernelskill.argument";
inline constexpr llvm::StringLiteral kDispatchAttr = "kernelskill.dispatch";
/// Marks the out-arguments of a kernel stage's host function.
inline constexpr llvm::StringLiteral kResultAttr = "kernelskill.result";
/// Names the buffer that a result of a payload is the new value of; on the
/// result, or on its out-argument.
inline constexpr llvm::StringLiteral kBufferAttr = "kernelskill.buffer";
inline constexpr llvm::StringLiteral kFeaturesAttr = "kernelskill.features";
inline constexpr llvm::StringLiteral kSkillAttr = "kernelskill.skill";
inline constexpr llvm::StringLiteral kDiagnosisAttr = "kernelskill.diagnosis";
inline constexpr llvm::StringLiteral kPlanAttr = "kernelskill.plan";
inline constexpr llvm::StringLiteral kRecipeAttr = "kernelskill.recipe";
inline constexpr llvm::StringLiteral kStepAttr = "kernelskill.step";
} // namespace kernelskill

#endif // KERNELSKILL_IR_KERNELSKILLDIALECT_H
