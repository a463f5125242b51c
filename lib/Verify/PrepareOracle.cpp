// Brings linalg on tensors into the form that the oracle pipeline takes. See
// Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Transforms/RegionUtils.h"

namespace kernelskill {
#define GEN_PASS_DEF_PREPAREORACLE
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// Whether a scalar can be computed again where it is used.
bool canSink(Operation *op) {
  return op && op->getNumRegions() == 0 && isPure(op) &&
         op->getNumResults() == 1 &&
         !isa<ShapedType>(op->getResult(0).getType());
}

// Scalars outside of a body become host code; clones of what makes them go into
// the body.
void sinkScalars(linalg::GenericOp op, RewriterBase &rewriter) {
  for (;;) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegion(), captured);
    Operation *source = nullptr;
    for (Value value : captured)
      if (canSink(value.getDefiningOp()) &&
          !value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
        source = value.getDefiningOp();
    if (!source)
      return;
    rewriter.setInsertionPointToStart(op.getBody());
    Operation *clone = rewriter.clone(*source);
    replaceAllUsesInRegionWith(source->getResult(0), clone->getResult(0),
                               op.getRegion());
  }
}

// Large constants of one value become fills: a program would hold all of their
// bytes.
void fillSplats(func::FuncOp function, RewriterBase &rewriter) {
  SmallVector<arith::ConstantOp> constants;
  function.walk([&](arith::ConstantOp op) { constants.push_back(op); });
  for (arith::ConstantOp op : constants) {
    auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!elements || !type || type.getNumElements() < 2)
      continue;
    rewriter.setInsertionPoint(op);
    Value value = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(elements.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, value, empty);
  }
}

// Fusing repeats no work where the consumer's loops run over each element of
// the producer once.
bool readsOnce(OpOperand *use) {
  auto consumer = dyn_cast<linalg::LinalgOp>(use->getOwner());
  if (!consumer || !use->get().hasOneUse())
    return false;
  int64_t iterations = 1;
  for (int64_t size : consumer.getStaticLoopRanges())
    iterations *= size;
  return iterations == cast<ShapedType>(use->get().getType()).getNumElements();
}

struct PrepareOracle : kernelskill::impl::PrepareOracleBase<PrepareOracle> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    IRRewriter rewriter(&getContext());
    // Bufferization may write to a public function's arguments unless told.
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (isa<TensorType>(function.getArgument(i).getType()))
        function.setArgAttr(
            i, bufferization::BufferizationDialect::kWritableAttrName,
            rewriter.getBoolAttr(false));
    // Results become arguments, where what is said of a result (which buffer of
    // the module it is) would mean something else.
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      function.setResultAttrs(i, ArrayRef<NamedAttribute>());
    SmallVector<Operation *> assertions;
    function.walk([&](cf::AssertOp op) { assertions.push_back(op); });
    for (Operation *op : assertions)
      rewriter.eraseOp(op);
    fillSplats(function, rewriter);
    function.walk([&](linalg::GenericOp op) { sinkScalars(op, rewriter); });

    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, readsOnce);
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    if (failed(applyPatternsGreedily(function, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
