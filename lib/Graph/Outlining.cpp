// Building dispatch functions.
#include "Outlining.h"

#include "KernelSkill/Analysis/InPlaceRead.h"
#include "KernelSkill/Graph/Fingerprint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// What is read where a tensor is read in place.
static Value sourceOf(Value tensor) {
  while (std::optional<InPlaceRead> read = matchInPlaceRead(tensor))
    tensor = read->source;
  return tensor;
}

/// The tensors that the group reads from outside, in order of first use.
static SetVector<Value> operandsOf(DispatchGroup group) {
  SetVector<Value> operands;
  for (linalg::GenericOp op : {group.root, group.epilogue}) {
    if (!op)
      continue;
    for (Value input : op.getDpsInputs())
      if (!isRematerialized(input) &&
          (op == group.root || input.getDefiningOp() != group.root))
        operands.insert(sourceOf(input));
    op.walk([&](tensor::ExtractOp extract) {
      operands.insert(extract.getTensor());
    });
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

/// The input in the function: an argument, the root's result, or one of these
/// padded again.
static Value cloneInput(OpBuilder &builder, Value input,
                        const IRMapping &mapping) {
  std::optional<InPlaceRead> read = matchInPlaceRead(input);
  if (!read)
    return isRematerialized(input)
               ? builder.clone(*input.getDefiningOp())->getResult(0)
               : mapping.lookup(input);
  IRMapping operands;
  operands.map(read->source, cloneInput(builder, read->source, mapping));
  Location loc = input.getLoc();
  if (auto insert = input.getDefiningOp<tensor::InsertSliceOp>()) {
    RankedTensorType type = insert.getType();
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    Value scalar = arith::ConstantOp::create(builder, loc, read->padding);
    operands.map(
        insert.getDest(),
        linalg::FillOp::create(builder, loc, scalar, empty).getResult(0));
    return builder.clone(*insert, operands)->getResult(0);
  }
  if (auto slice = input.getDefiningOp<tensor::ExtractSliceOp>())
    return builder.clone(*slice, operands)->getResult(0);
  auto pad = input.getDefiningOp<tensor::PadOp>();
  Value scalar = arith::ConstantOp::create(builder, loc, read->padding);
  operands.map(pad.getConstantPaddingValue(), scalar);
  return builder.clone(*pad, operands)->getResult(0);
}

/// Clones constants from outside into the region, so that it stands alone.
static LogicalResult closeRegion(Operation *op, Region &region) {
  Block *body = &region.front();
  IRMapping constants;
  OpBuilder builder(body, body->begin());
  WalkResult walked = body->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      if (region.isAncestor(operand.get().getParentRegion()) ||
          isa<TensorType>(operand.get().getType()))
        continue; // Tensors become arguments.
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
    for (Value input : op.getDpsInputs())
      own.map(input, cloneInput(builder, input, mapping));
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

func::CallOp DispatchOutliner::call(OpBuilder &builder, func::FuncOp function,
                                    DispatchKind kind, ValueRange operands) {
  auto [known, isNew] =
      functions.try_emplace(canonicalTextOf(function), function);
  if (isNew) {
    function->setAttr(kDispatchAttr,
                      DispatchAttr::get(function.getContext(), kind,
                                        fingerprintOf(function)));
    function.setName("dispatch_" + std::to_string(functions.size() - 1));
    symbols.insert(function);
  } else {
    function.erase();
  }
  return func::CallOp::create(builder, builder.getInsertionPoint()->getLoc(),
                              known->second, operands);
}

LogicalResult DispatchOutliner::outline(ScanOp scan) {
  if (failed(closeRegion(scan, scan.getCombiner())))
    return failure();
  OpBuilder builder(scan.getContext());
  auto function =
      func::FuncOp::create(builder, scan.getLoc(), "dispatch",
                           builder.getFunctionType(scan.getInput().getType(),
                                                   scan.getResult().getType()));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  mapping.map(scan.getInput(), entry->getArgument(0));
  ShapedType type = scan.getInputType();
  Value empty = tensor::EmptyOp::create(builder, scan.getLoc(), type.getShape(),
                                        type.getElementType());
  if (scan.getInit() != scan.getInput())
    mapping.map(scan.getInit(), empty);
  auto clone = cast<ScanOp>(builder.clone(*scan, mapping));
  clone.getInitMutable().assign(empty);
  clone->setDiscardableAttrs(DictionaryAttr::get(scan.getContext()));
  func::ReturnOp::create(builder, scan.getLoc(), clone.getResult());
  builder.setInsertionPoint(scan);
  scan->replaceAllUsesWith(
      call(builder, function, DispatchKind::Scan, scan.getInput()));
  scan->erase();
  return success();
}

LogicalResult DispatchOutliner::outline(DispatchGroup group) {
  for (linalg::GenericOp op : {group.root, group.epilogue})
    if (op && failed(closeRegion(op, op.getRegion())))
      return failure();
  SetVector<Value> operands = operandsOf(group);
  func::FuncOp function = buildFunction(group, operands.getArrayRef());
  linalg::GenericOp last = group.last();
  OpBuilder builder(last);
  last->replaceAllUsesWith(
      call(builder, function, group.kind, operands.getArrayRef()));
  last.erase();
  if (group.epilogue)
    group.root->erase();
  return success();
}
