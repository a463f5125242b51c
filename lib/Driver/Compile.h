// Payload + recipe → program: all stages in order, in this process.
#ifndef KERNELSKILL_LIB_DRIVER_COMPILE_H
#define KERNELSKILL_LIB_DRIVER_COMPILE_H

#include "DriverError.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Memory/Journal.h"
#include "KernelSkill/Skills/AnalysisReport.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kernelskill {

struct CompileInputs {
  mlir::ModuleOp payload; // consumed
  mlir::ModuleOp recipe;
  const SkillLibrary *library;
  LoweringOptions lowering;
  std::string numerics;
};

struct Compiled {
  Program program;
  AnalysisReport report;
};

/// Compiles. `stage` is told which stage starts ("dispatch", "kernel",
/// "analyze", "lower"). Errors have been emitted as diagnostics.
mlir::FailureOr<Compiled>
compile(const CompileInputs &inputs,
        llvm::function_ref<void(llvm::StringRef)> stage);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_COMPILE_H
