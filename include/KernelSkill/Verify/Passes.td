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

#endif // KERNELSKILL_VERIFY_PASSES_TD
