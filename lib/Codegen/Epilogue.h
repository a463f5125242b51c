// The end of a kernel: the root's results, in registers, through the epilogue
// to memory. Shared by all strategies that have a root with an accumulator.
#ifndef KERNELSKILL_CODEGEN_EPILOGUE_H
#define KERNELSKILL_CODEGEN_EPILOGUE_H

#include "Emission.h"
#include "KernelBuilder.h"

namespace kernelskill {

/// Stores the root's results (scalars, or vectors along `lanes`) at these
/// values of the nest's loops (reduction loops are not looked at and may be
/// null), after the epilogue if there is one.
void emitResults(Kernel &kernel, const Nest &nest,
                 llvm::ArrayRef<mlir::Value> results,
                 llvm::ArrayRef<mlir::Value> loops, Lanes lanes);

/// The starting value of result `i`: the fill's scalar, or loaded.
mlir::Value emitInit(Kernel &kernel, const Nest &nest, unsigned i,
                     llvm::ArrayRef<mlir::Value> loops, Lanes lanes);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_EPILOGUE_H
