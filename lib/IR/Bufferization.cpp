// One-shot bufferization of the dialect's operations.
#include "KernelSkill/IR/KernelSkillOps.h"

#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace kernelskill;

namespace {
struct BufferizeScan
    : DstBufferizableOpInterfaceExternalModel<BufferizeScan, ScanOp> {
  /// The old value of the output is never read.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto scan = cast<ScanOp>(op);
    FailureOr<Value> input =
        getBuffer(rewriter, scan.getInput(), options, state);
    FailureOr<Value> init = getBuffer(rewriter, scan.getInit(), options, state);
    if (failed(input) || failed(init))
      return failure();
    auto onMemrefs =
        ScanOp::create(rewriter, scan.getLoc(), /*result=*/Type(), *input,
                       *init, scan.getDimensionAttr(), scan.getIdentity(),
                       scan.getExclusiveAttr(), scan.getReverseAttr());
    rewriter.inlineRegionBefore(scan.getCombiner(), onMemrefs.getCombiner(),
                                onMemrefs.getCombiner().begin());
    replaceOpWithBufferizedValues(rewriter, op, *init);
    return success();
  }
};
} // namespace

void kernelskill::registerBufferization(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, KernelSkillDialect *) {
    ScanOp::attachInterface<BufferizeScan>(*context);
  });
}
