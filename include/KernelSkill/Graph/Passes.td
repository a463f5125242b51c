//===- Passes.td - passes of the Graph room ---------------------------------===//
#ifndef KERNELSKILL_GRAPH_PASSES_TD
#define KERNELSKILL_GRAPH_PASSES_TD

include "mlir/Pass/PassBase.td"

def CanonicalizePayload : Pass<"kernelskill-canonicalize-payload", "::mlir::ModuleOp"> {
  let summary = "bring a payload into the form that dispatches are made from";
  let description = [{
    Checks the payload's contract (one public function on static tensors), and
    rewrites its body: named operations other than fills and convolutions become `linalg.generic`, results
    that nobody uses are dropped (the argmax beside a maximum), constants are
    folded into regions, loops of extent 1 become reshapes, integer powers
    become products. A module of `gpu.module`s without a public function is left as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::math::MathDialect"];
}

def NarrowVariances : Pass<"kernelskill-narrow-variances", "::mlir::func::FuncOp"> {
  let summary = "compute in f32 the variances of f32 tensors that front ends compute in f64";
  let description = [{
    Matches exactly the two passes that PyTorch's front ends write (widen, sum,
    divide by a constant, subtract, square, sum, divide by a constant, narrow),
    of generic operations, and leaves any other computation in f64 as it is.
    docs/numerics.md has the proof that the result is as good as its input.
    Part of `--kernelskill-canonicalize-payload`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WidenSums : Pass<"kernelskill-widen-sums", "::mlir::func::FuncOp"> {
  let summary = "accumulate in f32 what a payload sums in f16 or bf16";
  let description = [{
    Generic operations that sum in a 16-bit float type sum in f32 from the
    widened start, with products formed in f32, and an elementwise operation
    behind them rounds the sums to the type. docs/numerics.md says why that is no
    less accurate. Part of `--kernelskill-canonicalize-payload`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FormDispatches : Pass<"kernelskill-form-dispatches", "::mlir::ModuleOp"> {
  let summary = "fuse a payload's operations into dispatches, each a function";
  let description = [{
    Expects the form that `--kernelskill-canonicalize-payload` leaves. Chains of
    elementwise operations become one; elementwise producers go into reductions,
    transposes into the maps of reductions and contractions, elementwise
    consumers behind them. Each group becomes a private function
    `@dispatch_<n>` with `kernelskill.dispatch`; equal groups share one.
    docs/architecture.md states the form of these functions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::func::FuncDialect",
                           "::kernelskill::KernelSkillDialect"];
}

def BufferizeHost : Pass<"kernelskill-bufferize-host", "::mlir::ModuleOp"> {
  let summary = "bring the public function from tensors to memrefs";
  let description = [{
    Runs after strategies, when the public function holds calls of functions on
    memrefs, reshapes, and `bufferization.to_buffer`/`to_tensor` around the
    calls. Arguments become memrefs, each result an out-argument that carries
    `kernelskill.result`; kernels write results in place where they can.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::bufferization::BufferizationDialect",
                           "::kernelskill::KernelSkillDialect"];
}

#endif // KERNELSKILL_GRAPH_PASSES_TD
