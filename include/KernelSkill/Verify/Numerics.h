// The numerics classes: how far a candidate may be from the oracle, in units of
// the class's yardstick. docs/verification.md states the error model and where
// each number comes from.
#ifndef KERNELSKILL_VERIFY_NUMERICS_H
#define KERNELSKILL_VERIFY_NUMERICS_H

#include "KernelSkill/Runtime/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

struct NumericsClass {
  llvm::StringLiteral name;
  /// A measured error may be at most this times the yardstick's, for each of
  /// the two measures.
  double normwiseFactor;
  double componentwiseFactor;
  /// How the yardstick of the class rounds the f32 operands of products that
  /// are summed, as `kernelskill-round-products` names it: tf32, fp16, bf16 or
  /// bf16x3. Empty where it leaves them as they are.
  llvm::StringLiteral products;
  /// How much of itself such a product loses at most by that, in unit roundoffs
  /// of f32. What the class may always lose, whatever the yardstick does.
  double productLoss;
  llvm::StringLiteral meaning;

  /// The bounds for an output of `type`, both in unit roundoffs of that type,
  /// from the yardstick's measures in the same units.
  double normwiseBound(double yardstick, ElementType type) const;
  double componentwiseBound(double yardstick, ElementType type) const;
};

/// 2^-11 for f16, 2^-8 for bf16, 2^-24 for f32, else 2^-53.
double unitRoundoff(ElementType type);

llvm::ArrayRef<NumericsClass> knownNumerics();
/// The class of that name, or an error that lists the known ones.
llvm::Expected<const NumericsClass *> findNumerics(llvm::StringRef name);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_NUMERICS_H
