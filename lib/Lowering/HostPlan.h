// Reads the kernel stage's host function into a program's buffers and steps.
#ifndef KERNELSKILL_LIB_LOWERING_HOSTPLAN_H
#define KERNELSKILL_LIB_LOWERING_HOSTPLAN_H

#include "KernelSkill/Runtime/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/ADT/SetVector.h"

namespace kernelskill {

/// Buffers, steps and kernel records (name and dispatch only) of a program, and
/// the kernels in the records' order.
struct HostPlan {
  Program program;
  llvm::SetVector<mlir::gpu::GPUFuncOp> kernels;
  /// Scalar arguments of type index: their size depends on the lowering.
  std::vector<std::pair<uint32_t, uint32_t>> indexScalars; // (step, argument)
};

/// The plan of the public host function, whose calls have been inlined.
mlir::FailureOr<HostPlan> readHostFunction(mlir::func::FuncOp host);

/// The plan of one launch of a kernel that no host function launches: each
/// memref argument is a buffer of the program.
mlir::FailureOr<HostPlan> planSingleKernel(mlir::gpu::GPUFuncOp kernel);

/// Whether a kernel may write through its argument.
bool mayWrite(mlir::gpu::GPUFuncOp kernel, unsigned argument);

/// The program's element type; none for types that no buffer holds.
std::optional<ElementType> toElementType(mlir::Type type);

/// A buffer of a memref with static shape and dense layout. An error at `op`
/// says what else it is.
mlir::FailureOr<BufferRecord> describeBuffer(mlir::Operation *op,
                                             mlir::MemRefType type,
                                             llvm::StringRef what);
/// Name, role and draw from a #kernelskill.argument attribute, if there is one.
void describeArgument(mlir::Attribute attribute, unsigned number,
                      BufferRecord &record);

/// The bytes of a dense constant, one byte for each i1.
mlir::FailureOr<std::string> constantBytes(mlir::Operation *op,
                                           mlir::Attribute value);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_HOSTPLAN_H
