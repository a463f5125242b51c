// Moves views of buffers into the launches that use them. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

namespace kernelskill {
#define GEN_PASS_DEF_SINKVIEWS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

struct SinkViews : kernelskill::impl::SinkViewsBase<SinkViews> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](gpu::LaunchOp launch) {
      for (;;) {
        llvm::SetVector<Value> captured;
        getUsedValuesDefinedAbove(launch.getBody(), captured);
        Operation *view = nullptr;
        for (Value value : captured)
          if (value.getDefiningOp<ViewLikeOpInterface>())
            view = value.getDefiningOp();
        if (!view)
          return;
        rewriter.setInsertionPointToStart(&launch.getBody().front());
        Operation *clone = rewriter.clone(*view);
        replaceAllUsesInRegionWith(view->getResult(0), clone->getResult(0),
                                   launch.getBody());
      }
    });
  }
};

} // namespace
