// Steps from gpu.modules to the LLVM dialect, shared by PTX and CPU.
#ifndef KERNELSKILL_LIB_LOWERING_KERNELLOWERING_H
#define KERNELSKILL_LIB_LOWERING_KERNELLOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace kernelskill {

enum class Backend { Ptx, Cpu };

/// Dialects, conversions and translations that the lowering uses.
void registerLoweringDialects(mlir::DialectRegistry &registry);

/// Inlines device functions and expands, in place and for both back ends alike:
/// reductions over subgroups and blocks, 64-bit shuffles, views, affine ops,
/// divisions that round.
mlir::LogicalResult prepareKernels(mlir::ModuleOp module);

/// 32 if every index computation of the prepared kernels provably has the same
/// value in 32 bits, 64 otherwise.
unsigned chooseIndexBitwidth(mlir::gpu::GPUModuleOp kernels);

/// Lowers the prepared kernels to the LLVM and NVVM dialects; memrefs become
/// bare pointers. Emits an error at each operation that is left over.
mlir::LogicalResult lowerKernels(mlir::ModuleOp module, Backend backend,
                                 unsigned indexBitwidth);

/// Unrolls and unmasks vector operations that have no conversion of their own.
std::unique_ptr<mlir::Pass> createLowerVectorOpsPass(Backend backend,
                                                     unsigned indexBitwidth);

/// Adds the expansion of math operations that neither back end has.
void populateExpandMathPatterns(mlir::RewritePatternSet &patterns);

/// Lowers math operations that have an instruction but no function of
/// libdevice.
std::unique_ptr<mlir::Pass> createLowerMathOpsPass();

/// Marks each operation's location with the operation's name, for messages of
/// the CPU device. See describeLocation.
void nameLocations(mlir::gpu::GPUModuleOp kernels);
/// "file:line:column: operation" of a location that nameLocations has marked.
std::string describeLocation(mlir::Location location);

/// Replaces calls of libdevice by exact instructions and, for the CPU, by calls
/// of the C library.
void replaceLibdeviceCalls(mlir::gpu::GPUModuleOp kernels, Backend backend);

/// Whether the CPU device has this function of the C library.
bool isCpuMathFunction(llvm::StringRef name);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_KERNELLOWERING_H
