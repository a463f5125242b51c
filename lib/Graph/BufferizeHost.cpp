// --kernelskill-bufferize-host: the public function on memrefs.
#include "KernelSkill/Graph/Passes.h"

#include "KernelSkill/IR/KernelSkillDialect.h"
#include "PayloadContract.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace kernelskill {
#define GEN_PASS_DEF_BUFFERIZEHOST
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

static MemRefType memrefOf(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {

/// Rewrites one function. All memrefs have the identity layout, so a reshape is
/// a view in both directions.
class HostBufferizer {
public:
  HostBufferizer(func::FuncOp function, SymbolTableCollection &symbols)
      : function(function), symbols(symbols), builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult rewrite(Operation &op);
  LogicalResult returnResults(func::ReturnOp op);
  bool writeInPlace(Value buffer, Value result);

  func::FuncOp function;
  SymbolTableCollection &symbols;
  OpBuilder builder;
  IRMapping buffers;  // tensor to memref
  IRMapping replaced; // allocation to the out-argument that took its place
  SmallVector<Operation *> dead;
};

} // namespace

LogicalResult HostBufferizer::rewrite(Operation &op) {
  builder.setInsertionPoint(&op);
  Location loc = op.getLoc();
  auto replace = [&](Value memref) {
    buffers.map(op.getResult(0), memref);
    dead.push_back(&op);
    return success();
  };
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return replace(memref::CollapseShapeOp::create(
        builder, loc, memrefOf(collapse.getType()),
        buffers.lookup(collapse.getSrc()), collapse.getReassociationIndices()));
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return replace(memref::ExpandShapeOp::create(
        builder, loc, memrefOf(expand.getType()),
        buffers.lookup(expand.getSrc()), expand.getReassociationIndices()));
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
    return replace(toTensor.getBuffer());
  if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    toBuffer.getResult().replaceAllUsesWith(
        buffers.lookup(toBuffer.getTensor()));
    dead.push_back(&op);
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op);
      constant && isa<RankedTensorType>(constant.getType())) {
    FailureOr<memref::GlobalOp> global =
        bufferization::getGlobalFor(constant, symbols, /*alignment=*/256);
    if (failed(global))
      return op.emitError("can't become a global");
    return replace(memref::GetGlobalOp::create(builder, loc, global->getType(),
                                               global->getName()));
  }
  if (auto returned = dyn_cast<func::ReturnOp>(op))
    return returnResults(returned);
  auto isTensor = llvm::IsaPred<TensorType>;
  if (auto call = dyn_cast<func::CallOp>(op);
      call && llvm::any_of(call->getOperandTypes(), isTensor))
    return call.emitError() << "dispatch '" << call.getCallee()
                            << "' is still on tensors: give it a strategy "
                               "first";
  if (llvm::any_of(op.getOperandTypes(), isTensor) ||
      llvm::any_of(op.getResultTypes(), isTensor))
    return op.emitError("is on tensors, but only calls of dispatches and "
                        "reshapes may be left here: form dispatches first");
  return success();
}

/// Puts the out-argument in the place of the allocation that the buffer is, or
/// is a view of. Fails if the buffer is no allocation of this function's.
bool HostBufferizer::writeInPlace(Value buffer, Value result) {
  SmallVector<Operation *> views;
  Operation *source = buffer.getDefiningOp();
  while (
      isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(source)) {
    views.push_back(source);
    source = source->getOperand(0).getDefiningOp();
  }
  auto alloc = dyn_cast_or_null<memref::AllocOp>(source);
  if (!alloc)
    return false;
  builder.setInsertionPoint(alloc);
  // Undo the views, from the last to the first.
  Value view = result;
  for (Operation *op : views) {
    auto type = cast<MemRefType>(op->getOperand(0).getType());
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op))
      view = memref::ExpandShapeOp::create(builder, op->getLoc(), type, view,
                                           collapse.getReassociationIndices());
    else
      view = memref::CollapseShapeOp::create(
          builder, op->getLoc(), type, view,
          cast<memref::ExpandShapeOp>(op).getReassociationIndices());
  }
  replaced.map(alloc.getResult(), view);
  alloc.replaceAllUsesWith(view);
  dead.push_back(alloc);
  return true;
}

LogicalResult HostBufferizer::returnResults(func::ReturnOp op) {
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    Value buffer = replaced.lookupOrDefault(buffers.lookup(value));
    Value result = function.getArgument(function.getNumArguments() -
                                        op.getNumOperands() + index);
    if (writeInPlace(buffer, result))
      continue;
    // An argument, a constant, or a buffer that is a result already.
    builder.setInsertionPoint(op);
    memref::CopyOp::create(builder, op.getLoc(), buffer, result);
  }
  builder.setInsertionPoint(op);
  func::ReturnOp::create(builder, op.getLoc());
  dead.push_back(op);
  return success();
}

LogicalResult HostBufferizer::run() {
  Block &body = function.getBody().front();
  unsigned numInputs = function.getNumArguments();
  SmallVector<DictionaryAttr> marks;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    NamedAttrList mark(function.getResultAttrDict(i));
    mark.set(kResultAttr, builder.getUnitAttr());
    marks.push_back(mark.getDictionary(builder.getContext()));
  }
  function.setResAttrsAttr(nullptr);
  SmallVector<Type> results(function.getResultTypes());
  for (auto [i, result] : llvm::enumerate(results))
    if (failed(function.insertArgument(function.getNumArguments(),
                                       memrefOf(result), marks[i],
                                       function.getLoc())))
      return failure();
  // The operands are still on tensors: each argument gets a memref beside it.
  SmallVector<Value> memrefs;
  for (unsigned i = 0; i < numInputs; ++i) {
    BlockArgument tensor = body.getArgument(i);
    BlockArgument memref = body.insertArgument(
        body.getNumArguments(), memrefOf(tensor.getType()), tensor.getLoc());
    memrefs.push_back(memref);
    buffers.map(tensor, memref);
  }
  for (Operation &op : llvm::make_early_inc_range(body))
    if (failed(rewrite(op)))
      return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  // Views that only a result had, which is now written in place.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (unsigned i = 0; i < numInputs; ++i) {
    BlockArgument tensor = body.getArgument(i);
    Value memref = memrefs[i];
    tensor.setType(memref.getType());
    memref.replaceAllUsesWith(tensor);
  }
  body.eraseArguments(function.getNumArguments(), numInputs);
  function.setFunctionType(FunctionType::get(
      function.getContext(), body.getArgumentTypes(), TypeRange()));
  return success();
}

namespace {

struct BufferizeHost : kernelskill::impl::BufferizeHostBase<BufferizeHost> {
  void runOnOperation() override {
    if (isKernelModule(getOperation()))
      return;
    FailureOr<func::FuncOp> function = publicFunctionOf(getOperation());
    if (failed(function))
      return signalPassFailure();
    SymbolTableCollection symbols;
    if (failed(checkTypes(*function)) ||
        failed(HostBufferizer(*function, symbols).run()))
      signalPassFailure();
  }
};

} // namespace
