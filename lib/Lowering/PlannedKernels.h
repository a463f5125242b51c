// The plan of a kernel stage with its kernels gathered and prepared.
#ifndef KERNELSKILL_LIB_LOWERING_PLANNEDKERNELS_H
#define KERNELSKILL_LIB_LOWERING_PLANNEDKERNELS_H

#include "KernelSkill/Runtime/Program.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kernelskill {

struct PlannedKernels {
  /// All but images and what only they tell of the kernels.
  Program program;
  /// A module with one gpu.module that holds the program's kernels, prepared
  /// for both back ends.
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  unsigned indexBitwidth = 64;
};

/// Reads the plan of the module, which is consumed.
mlir::FailureOr<PlannedKernels> planKernels(mlir::ModuleOp module);

/// The gpu.module of a holder.
mlir::gpu::GPUModuleOp kernelsOf(mlir::ModuleOp holder);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_PLANNEDKERNELS_H
