// Lets no two results of an oracle be one value. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

namespace kernelskill {
#define GEN_PASS_DEF_COPYREPEATEDRESULTS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

struct CopyRepeatedResults
    : kernelskill::impl::CopyRepeatedResultsBase<CopyRepeatedResults> {
  void runOnOperation() override {
    Operation *terminator = getOperation().getBody().front().getTerminator();
    OpBuilder builder(terminator);
    SmallPtrSet<Value, 8> given;
    for (OpOperand &operand : terminator->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (type && !given.insert(operand.get()).second)
        operand.set(bufferization::AllocTensorOp::create(
            builder, terminator->getLoc(), type, ValueRange(), operand.get()));
    }
  }
};

} // namespace
