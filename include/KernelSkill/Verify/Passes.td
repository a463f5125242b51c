//===- Passes.td - passes of the Verify room ---------------------------------===//
#ifndef KERNELSKILL_VERIFY_PASSES_TD
#define KERNELSKILL_VERIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def Promote : Pass<"kernelskill-promote", "::mlir::ModuleOp"> {
  let summary = "rewrite a payload to double precision";
  let description = [{
    Turns every f32, f16 and bf16 of a payload (tensors, memrefs, vectors and
    scalars; functions and `gpu.func`s alike) into f64. Literals are widened
    exactly, but for well-known irrational numbers that were cut to f32 (the
    square root of 2 in GELU), which get their digits back. Casts between float
    types that become equal are dropped. What would change its meaning is an
    error: float bitcasts, float data in dense resources, byte-addressed views of
    floats, and hardware operations (nvvm, nvgpu) on floats.
  }];
}

def BlockSums : Pass<"kernelskill-block-sums", "::mlir::func::FuncOp"> {
  let summary = "sum in blocks, so that no chain of a reduction is long";
  let description = [{
    Splits each reduction of linalg on tensors whose chain is longer than `block`
    into a reduction of blocks, with the partial results in a tensor, and further
    reductions of these, until no chain is longer than `block`. A block takes
    elements that lie apart, so that neighbouring partial results read
    neighbouring elements. Sizes without a fitting divisor leave a remainder,
    which goes into the initial value of the last reduction.

    This is what makes a payload in its own types the yardstick "plain fp32", and
    what keeps a long sum of the oracle from being one thread's work.
  }];
  let options = [
    Option<"block", "block", "int64_t", "128", "longest chain left">,
    Option<"maxResults", "max-results", "int64_t", "0",
           "split only where there are fewer result elements than this; 0: always">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BlockScans : Pass<"kernelskill-block-scans", "::mlir::func::FuncOp"> {
  let summary = "scan in blocks, so that no chain of a scan is long";
  let description = [{
    Splits each `kernelskill.scan` on tensors over more than `block` elements into
    scans of blocks, a scan of the blocks' totals (split again while it is too
    long), and the combination of the two. A last block that is not full is
    filled with identities. The yardstick's counterpart of
    `kernelskill-block-sums`.
  }];
  let options = [Option<"block", "block", "int64_t", "128", "longest chain left">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def RoundProducts : Pass<"kernelskill-round-products", "::mlir::func::FuncOp"> {
  let summary = "round the operands of products that are summed";
  let description = [{
    In each reduction of linalg on tensors that sums f32 products of two of its
    inputs (contractions and convolutions; sums of squares are none), rounds both
    operands to the nearest number of `format`. For bf16x3 the product becomes
    that of the high parts plus the two of a high and a low part; where a high
    part is not finite, it stays as it is.

    This makes the yardstick of a numerics class of one in a payload's own types.
  }];
  let options = [
    Option<"format", "format", "std::string", "", "tf32, fp16, bf16 or bf16x3">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect"];
}

def ErrorScale : Pass<"kernelskill-error-scale", "::mlir::func::FuncOp"> {
  let summary = "compute beside each float result how much rounding can move it";
  let description = [{
    Makes the function return, after each float result, a tensor of the same
    shape: the running error of the computation, in units of the roundoff and to
    first order, products and powers to second; and after each integer result what rounding could make of it: another
    value, or, for the index that an arg-reduction finds, a byte for each place (innermost) that says whether it could be there. Arguments are exact; an operation adds the magnitude of its
    result to what its operands' errors make of it; a sum adds the magnitude of
    each summand, whatever its length. docs/verification.md states the rules. The
    input is a promoted payload (f64). An operation without a rule is an error.
  }];
  let options = [
    Option<"roundoffBits", "roundoff-bits", "unsigned", "24",
           "the roundoff of the results is 2 to the minus this">,
    Option<"swapBits", "swap-bits", "unsigned", "16",
           "two values closer than 2 to the minus this of their scales may change places by rounding">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def PrepareOracle : Pass<"kernelskill-prepare-oracle", "::mlir::func::FuncOp"> {
  let summary = "bring linalg on tensors into the form that the oracle pipeline takes";
  let description = [{
    Drops run-time assertions and what is said of results, moves scalars that are
    read from tensors into the bodies that use them, fills tensors of one value
    instead of keeping them as constants, and fuses an elementwise producer into its only
    consumer where each of its elements is read once (upstream's patterns).
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def CopyRepeatedResults : Pass<"kernelskill-copy-repeated-results", "::mlir::func::FuncOp"> {
  let summary = "copy what an oracle returns twice";
  let description = [{
    Upstream's bufferization of results to arguments crashes where two results are
    one value: a tensor that the payload returns twice, or a zero and its zero
    scale.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def OracleLaunches : Pass<"kernelskill-oracle-launches", "::mlir::func::FuncOp"> {
  let summary = "give each linalg op on memrefs loops that map to a grid";
  let description = [{
    Between upstream's bufferization and its GPU mapping: copies of strided views
    become linalg ops, each linalg op becomes parallel loops (upstream's
    conversion), operations without a parallel loop get one of a single
    iteration, and the parallel loops of an operation are collapsed into one.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def OracleScans : Pass<"kernelskill-oracle-scans", "::mlir::func::FuncOp"> {
  let summary = "give each scan on memrefs loops that map to a grid";
  let description = [{
    A parallel loop over the lines along the scanned dimension, and in it a
    sequential loop that combines in order.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def SinkCaptures : Pass<"kernelskill-sink-captures", "::mlir::func::FuncOp"> {
  let summary = "move views of buffers and constants into the launches that use them";
  let description = [{
    A kernel then takes whole buffers only; upstream's fold-memref-alias-ops folds
    the views into the accesses. Upstream's outlining sinks constants too, in time
    quadratic in the number of launches.
  }];
}

def FinishOracle : Pass<"kernelskill-finish-oracle", "::mlir::ModuleOp"> {
  let summary = "check and complete the kernel stage of an oracle";
  let description = [{
    Gathers the outlined kernels in one `gpu.module`, equal ones once, states sizes and the absence
    of aliases on them, marks the out-arguments with `kernelskill.result`, and
    reports host code that the GPU mapping left over.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif // KERNELSKILL_VERIFY_PASSES_TD
