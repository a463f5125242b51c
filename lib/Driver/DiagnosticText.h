// Collects MLIR's diagnostics, so that a failure becomes one error line.
#ifndef KERNELSKILL_LIB_DRIVER_DIAGNOSTICTEXT_H
#define KERNELSKILL_LIB_DRIVER_DIAGNOSTICTEXT_H

#include "mlir/IR/Diagnostics.h"

namespace kernelskill {

class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext &context);
  /// The first error as "file:line:column: message (note: …)", or `otherwise`
  /// if there was none.
  std::string firstError(llvm::StringRef otherwise) const;

private:
  mlir::ScopedDiagnosticHandler handler;
  std::string first;
};

/// "file:line:column", or "" for an unknown place.
std::string placeOf(mlir::Location location);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_DIAGNOSTICTEXT_H
