// Building dispatch functions.
#include "Outlining.h"

#include "KernelSkill/Graph/Fingerprint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace kernelskill;

/// Whether the value is made again in the function: what only gives a result
/// its shape or its starting value.
static bool isRematerialized(Value init) {
  Operation *op = init.getDefiningOp();
  return isa_and_nonnull<tensor::EmptyOp>(op) ||
         isa_and_nonnull<linalg::FillOp>(op);
}

/// Whether the region reads the init's old value.
static bool readsInit(OpOperand &init) {
  auto op = cast<linalg::GenericOp>(init.getOwner());
  return !op.getMatchingBlockArgument(&init).use_empty();
}

/// The tensors that the group reads from outside, in order of first use.
static SetVector<Value> operandsOf(DispatchGroup group) {
  SetVector<Value> operands;
  for (linalg::GenericOp op : {group.root, group.epilogue}) {
    if (!op)
      continue;
    for (Value input : op.getDpsInputs())
      if (op == group.root || input.getDefiningOp() != group.root)
        operands.insert(input);
    for (OpOperand &init : op.getDpsInitsMutable())
      if (readsInit(init) && !isRematerialized(init.get()))
        operands.insert(init.get());
  }
  return operands;
}

/// The init in the function: an empty tensor, a fill of one, or an argument.
static Value cloneInit(OpBuilder &builder, OpOperand &init,
                       const IRMapping &mapping) {
  Value value = init.get();
  if (Value known = mapping.lookupOrNull(value); known && readsInit(init))
    return known;
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill || !readsInit(init))
    return empty;
  Operation *scalar = builder.clone(*fill.value().getDefiningOp());
  return linalg::FillOp::create(builder, loc, scalar->getResult(0), empty)
      .getResult(0);
}

/// Clones constants from outside into the region, so that it stands alone.
static LogicalResult closeRegion(linalg::GenericOp op) {
  Block *body = op.getBody();
  IRMapping constants;
  OpBuilder builder(body, body->begin());
  WalkResult walked = body->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      if (op.getRegion().isAncestor(operand.get().getParentRegion()))
        continue;
      Operation *outside = operand.get().getDefiningOp();
      if (!outside || !outside->hasTrait<OpTrait::ConstantLike>()) {
        inner->emitError("uses a value from outside the region that is no "
                         "constant: pass it as an operand");
        return WalkResult::interrupt();
      }
      if (!constants.contains(operand.get()))
        builder.clone(*outside, constants);
      operand.set(constants.lookup(operand.get()));
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static func::FuncOp buildFunction(DispatchGroup group,
                                  ArrayRef<Value> operands) {
  MLIRContext *context = group.root.getContext();
  OpBuilder builder(context);
  auto type = FunctionType::get(
      context,
      llvm::map_to_vector(operands,
                          [](Value value) { return value.getType(); }),
      group.last()->getResultTypes());
  Location loc = group.root.getLoc();
  auto function = func::FuncOp::create(builder, loc, "dispatch", type);
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(operands, entry->getArguments());
  Operation *last = nullptr;
  for (linalg::GenericOp op : {group.root, group.epilogue}) {
    if (!op)
      continue;
    IRMapping own = mapping;
    for (OpOperand &init : op.getDpsInitsMutable())
      own.map(init.get(), cloneInit(builder, init, mapping));
    last = builder.clone(*op, own);
    // Only structure counts: what the payload noted on an op stays behind.
    last->setDiscardableAttrs(DictionaryAttr::get(context));
    mapping.map(op->getResults(), last->getResults());
  }
  func::ReturnOp::create(builder, loc, last->getResults());
  return function;
}

LogicalResult DispatchOutliner::outline(DispatchGroup group) {
  for (linalg::GenericOp op : {group.root, group.epilogue})
    if (op && failed(closeRegion(op)))
      return failure();
  SetVector<Value> operands = operandsOf(group);
  func::FuncOp function = buildFunction(group, operands.getArrayRef());
  auto [known, isNew] =
      functions.try_emplace(canonicalTextOf(function), function);
  if (isNew) {
    function->setAttr(kDispatchAttr,
                      DispatchAttr::get(function.getContext(), group.kind,
                                        fingerprintOf(function)));
    function.setName("dispatch_" + std::to_string(functions.size() - 1));
    symbols.insert(function);
  } else {
    function.erase();
  }
  linalg::GenericOp last = group.last();
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last.getLoc(), known->second,
                                   operands.getArrayRef());
  last->replaceAllUsesWith(call.getResults());
  last.erase();
  if (group.epilogue)
    group.root->erase();
  return success();
}
