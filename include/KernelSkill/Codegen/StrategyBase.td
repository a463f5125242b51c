//===- StrategyBase.td - what all strategy ops have in common -------------===//
#ifndef KERNELSKILL_CODEGEN_STRATEGYBASE_TD
#define KERNELSKILL_CODEGEN_STRATEGYBASE_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

/// The value of a knob: `!transform.param<i64>` (buildable, so that the assembly
/// need not print it).
def KernelSkill_Knob : Type<
    CPred<"::llvm::isa<::mlir::transform::ParamType>($_self) && "
          "::llvm::cast<::mlir::transform::ParamType>($_self).getType().isInteger(64)">,
    "`!transform.param<i64>`", "::mlir::transform::ParamType">,
  BuildableType<"::mlir::transform::ParamType::get($_builder.getContext(), $_builder.getI64Type())">;

/// A strategy: applies to the `func.func`s of dispatches on tensors behind its
/// first operand, `target` (the handle stays valid: the function is rewritten in
/// place, see lib/Codegen/KernelBuilder.h), and leaves functions on memrefs that
/// launch kernels. The C++ side implements `applyTo` (lib/Codegen/<Name>.cpp): its
/// error says why the strategy does not apply, and then nothing has been changed;
/// it becomes a silenceable failure with a note at the dispatch. Knobs are further
/// operands, read with `readKnobs`.
class KernelSkill_StrategyOp<string opMnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "kernelskill." # opMnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<TransformOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        ReportTrackingListenerFailuresOpTrait])> {
  let cppNamespace = "::kernelskill";
  let extraClassDeclaration = [{
    ::llvm::Error applyTo(::mlir::RewriterBase &rewriter, ::mlir::func::FuncOp dispatch,
                          ::mlir::transform::TransformState &state);
  }];
  let extraClassDefinition = [{
    ::mlir::DiagnosedSilenceableFailure $cppClass::apply(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::transform::TransformResults &, ::mlir::transform::TransformState &state) {
      return applyStrategy(*this, getTarget(), state, [&](::mlir::func::FuncOp dispatch) {
        return applyTo(rewriter, dispatch, state);
      });
    }
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::mlir::transform::onlyReadsHandle((*this)->getOpOperands(), effects);
      ::mlir::transform::modifiesPayload(effects);
    }
  }];
}

#endif // KERNELSKILL_CODEGEN_STRATEGYBASE_TD
