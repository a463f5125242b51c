// The numerics classes: how far a candidate may be from the oracle, in units of
// the yardstick "plain fp32". docs/verification.md states the error model.
#ifndef KERNELSKILL_VERIFY_NUMERICS_H
#define KERNELSKILL_VERIFY_NUMERICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

/// The bound of a class: a measured error may be at most
/// `factor * max(plain's, roundoffs)`, in unit roundoffs of the result's type,
/// for each of the two measures.
struct NumericsClass {
  llvm::StringLiteral name;
  double normwiseFactor;
  double componentwiseFactor;
  /// The roundoff that the class may compute with, as a multiple of fp32's
  /// (8192 for tf32 and fp16, 65536 for bf16), 1 for fp32.
  double roundoffs;
  llvm::StringLiteral meaning;
};

llvm::ArrayRef<NumericsClass> knownNumerics();
/// The class of that name, or an error that lists the known ones.
llvm::Expected<const NumericsClass *> findNumerics(llvm::StringRef name);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_NUMERICS_H
