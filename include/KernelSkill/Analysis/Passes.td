//===- Passes.td - passes of the Analysis room ---------------------------------===//
#ifndef KERNELSKILL_ANALYSIS_PASSES_TD
#define KERNELSKILL_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExtractFeaturesPass : Pass<"kernelskill-extract-features", "::mlir::ModuleOp"> {
  let summary = "write what is known of dispatches and kernels onto them";
  let description = [{
    Dispatch functions on tensors get the work that has to be done and its
    roofline bound; `gpu.func` kernels get what a launch of them does, and the
    analytic time estimate. What is not known is absent.

    ```mlir
    gpu.func @scale(…) kernel attributes {kernelskill.features =
        #kernelskill.features<kind = kernel, blocks = 128, coalesced_fraction = 0.125, …>}
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", [{"sm_90a"}], "the chip that bounds and estimates are for">];
  let dependentDialects = ["::kernelskill::KernelSkillDialect"];
}

#endif // KERNELSKILL_ANALYSIS_PASSES_TD
