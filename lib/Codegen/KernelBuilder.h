// Turns a dispatch function on tensors into a function on memrefs that launches
// kernels (docs/architecture.md, stage 3).
//
//   KernelBuilder builder(rewriter, dispatch);
//   Kernel kernel = builder.begin(nest.reads(), nest.writes(), grid, block);
//   … emit with kernel.b, reading nest.root's region …
//   builder.end(kernel);           // may be repeated: kernels run in order
//   builder.finish();              // the old body is gone, callers are adapted
//
// Until finish() the tensor-level body still stands, so that its regions can be
// cloned. Callers keep their tensors: a call's operands go through
// bufferization.to_buffer, its results through memref.alloc and
// bufferization.to_tensor, which --kernelskill-bufferize-host resolves.
#ifndef KERNELSKILL_CODEGEN_KERNELBUILDER_H
#define KERNELSKILL_CODEGEN_KERNELBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace kernelskill {

/// A kernel under construction. `b` stands at the end of its body.
struct Kernel {
  mlir::gpu::GPUFuncOp func;
  mlir::ImplicitLocOpBuilder b;
  /// Threads of a block are numbered along x, and so are blocks.
  mlir::Value threadId = {}, blockId = {};
  /// The kernel's memref arguments by tensor (or temporary), in their shape …
  llvm::DenseMap<mlir::Value, mlir::Value> buffers{};
  /// … and the same as one row of all their elements.
  llvm::DenseMap<mlir::Value, mlir::Value> flat{};

  /// A static array in shared memory, 16-byte aligned.
  mlir::Value shared(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
};

class KernelBuilder {
public:
  KernelBuilder(mlir::RewriterBase &rewriter, mlir::func::FuncOp dispatch);

  mlir::MLIRContext *context() { return dispatch.getContext(); }
  /// A buffer between two kernels. The value names it in begin().
  mlir::Value temporary(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);

  /// Starts the next kernel on a one-dimensional grid. `reads` and `writes` are
  /// tensors of the dispatch (arguments, results of its ops; those that are not
  /// returned get a temporary) or temporaries.
  Kernel begin(mlir::ValueRange reads, mlir::ValueRange writes, int64_t grid,
               int64_t block);
  /// Ends the kernel's body and launches it.
  void end(Kernel &kernel);
  void finish();

private:
  mlir::Value hostBuffer(mlir::Value tensor);
  void adaptCall(mlir::Operation *call);

  mlir::RewriterBase &rewriter;
  mlir::func::FuncOp dispatch;
  mlir::Block *newBody;
  mlir::gpu::GPUModuleOp module;
  unsigned kernels = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> host;
  mlir::SmallVector<mlir::Value> operands;
};

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_KERNELBUILDER_H
