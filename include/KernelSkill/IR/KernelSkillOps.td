//===- KernelSkillOps.td - what linalg can't say --------------------------===//
#ifndef KERNELSKILL_IR_OPS_TD
#define KERNELSKILL_IR_OPS_TD

include "KernelSkill/IR/KernelSkillDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def KernelSkill_ScanOp : Op<KernelSkill_Dialect, "scan", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    IsolatedFromAbove, RecursivelySpeculatable,
    SingleBlock]> {
  let summary = "running combination along one dimension (cumsum, cumprod)";
  let description = [{
    Along `dimension`, element i of the result is the combination of the input's
    elements 0 to i, or (`exclusive`) 0 to i - 1, starting from `identity`; with `reverse`
    the elements are taken from the last to the first. The region combines the
    accumulator (first argument) with the next element (second). It must be associative:
    an implementation may combine in any grouping, but keeps the order. The result
    has the shape and element type of the input.

    On tensors the op has a result, whose storage is `outs`; on memrefs it has none and
    writes `outs`, which must not overlap the input. The old value of `outs` is not read.

    ```mlir
    %sums = kernelskill.scan ins(%x : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>)
        dimension(1) identity(0.0 : f32) {
    ^bb0(%sum: f32, %element: f32):
      %next = arith.addf %sum, %element : f32
      kernelskill.yield %next : f32
    } -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyRankedTensor, AnyNon0RankedMemRef]>:$input,
    AnyTypeOf<[AnyRankedTensor, AnyNon0RankedMemRef]>:$init,
    I64Attr:$dimension, TypedAttrInterface:$identity,
    UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $init `:` type($init) `)`
    `dimension` `(` $dimension `)` `identity` `(` $identity `)`
    (`exclusive` $exclusive^)? (`reverse` $reverse^)?
    $combiner attr-dict (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getInitMutable(); }
    ::mlir::ShapedType getInputType() { return ::llvm::cast<::mlir::ShapedType>(getInput().getType()); }
    ::mlir::Type getElementType() { return getInputType().getElementType(); }
  }];
}

def KernelSkill_YieldOp : Op<KernelSkill_Dialect, "yield", [
    Pure, Terminator, HasParent<"::kernelskill::ScanOp">]> {
  let summary = "the next accumulator of a `kernelskill.scan`";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

#endif // KERNELSKILL_IR_OPS_TD
