// Moves views and constants into the launches that use them. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace kernelskill {
#define GEN_PASS_DEF_SINKCAPTURES
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

bool isSinkable(Operation *op) {
  return op && (isa<ViewLikeOpInterface>(op) ||
                op->hasTrait<OpTrait::ConstantLike>());
}

// Copies for one launch of what it captures.
class Captures {
public:
  explicit Captures(gpu::LaunchOp launch)
      : body(launch.getBody()),
        builder(OpBuilder::atBlockBegin(&body.front())) {}

  // The same value made inside, or the value itself if it can't be.
  Value inside(Value value) {
    Operation *op = value.getDefiningOp();
    if (!isSinkable(op) || body.isAncestor(op->getParentRegion()))
      return value;
    Operation *copy = copies.lookup(op);
    if (!copy) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(inside(operand));
      copy = builder.clone(*op);
      copy->setOperands(operands);
      copies[op] = copy;
    }
    return copy->getResult(cast<OpResult>(value).getResultNumber());
  }

  void sink() {
    // One walk over the body, where upstream's sinking walks all uses of each
    // captured constant: a program of hundreds of launches has thousands.
    body.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(inside(operand.get()));
    });
  }

private:
  Region &body;
  OpBuilder builder;
  DenseMap<Operation *, Operation *> copies;
};

struct SinkCaptures : kernelskill::impl::SinkCapturesBase<SinkCaptures> {
  void runOnOperation() override {
    getOperation().walk([](gpu::LaunchOp launch) { Captures(launch).sink(); });
  }
};

} // namespace
