// How strategy ops read their knobs and refuse.
#ifndef KERNELSKILL_CODEGEN_KNOBS_H
#define KERNELSKILL_CODEGEN_KNOBS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

/// The knob's one integer, between 1 and 2^31 - 1.
llvm::Expected<int64_t> readKnob(mlir::transform::TransformState &state,
                                 mlir::Value knob, llvm::StringRef name);

/// One knob operand of a strategy op, and where its value goes.
struct KnobOperand {
  mlir::Value operand;
  llvm::StringRef name;
  int64_t *value;
};
/// Reads all of them.
llvm::Error readKnobs(mlir::transform::TransformState &state,
                      llvm::ArrayRef<KnobOperand> knobs);

/// Calls `apply` with each function behind the handle. Its errors become
/// silenceable failures of the strategy op, with a note at the dispatch.
mlir::DiagnosedSilenceableFailure
applyStrategy(mlir::Operation *strategy, mlir::Value target,
              mlir::transform::TransformState &state,
              llvm::function_ref<llvm::Error(mlir::func::FuncOp)> apply);

/// An error made of its arguments.
template <typename... Args>
llvm::Error refusal(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_KNOBS_H
