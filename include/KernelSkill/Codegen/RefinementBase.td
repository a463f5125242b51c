//===- RefinementBase.td - what all refinement ops have in common ---------===//
#ifndef KERNELSKILL_CODEGEN_REFINEMENTBASE_TD
#define KERNELSKILL_CODEGEN_REFINEMENTBASE_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

/// A refinement: rewrites the kernels (`gpu.func`) behind its first operand,
/// `target`, in place; the handle stays valid. The C++ side implements `applyTo`
/// (lib/Codegen/<Name>.cpp): its error says why the refinement does not apply, and
/// then nothing has been changed; it becomes a silenceable failure with a note at
/// the kernel. Knobs are further operands, read with `readKnobs`.
class KernelSkill_RefinementOp<string opMnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "kernelskill." # opMnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        ReportTrackingListenerFailuresOpTrait])> {
  let cppNamespace = "::kernelskill";
  let extraClassDeclaration = [{
    ::llvm::Error applyTo(::mlir::RewriterBase &rewriter, ::mlir::gpu::GPUFuncOp kernel,
                          ::mlir::transform::TransformState &state);
  }];
  let extraClassDefinition = [{
    ::mlir::DiagnosedSilenceableFailure $cppClass::apply(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::transform::TransformResults &, ::mlir::transform::TransformState &state) {
      return applyRefinement(*this, getTarget(), state, [&](::mlir::gpu::GPUFuncOp kernel) {
        return applyTo(rewriter, kernel, state);
      });
    }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::mlir::transform::onlyReadsHandle((*this)->getOpOperands(), effects);
      ::mlir::transform::modifiesPayload(effects);
    }
  }];
}

#endif // KERNELSKILL_CODEGEN_REFINEMENTBASE_TD
