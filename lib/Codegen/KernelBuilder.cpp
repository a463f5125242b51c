// Builds kernels, their launches, and the memref form of the dispatch function.
#include "KernelBuilder.h"

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace kernelskill;

static MemRefType memrefOf(Type type) {
  auto shaped = cast<ShapedType>(type);
  return MemRefType::get(shaped.getShape(), shaped.getElementType());
}

Value Kernel::shared(ArrayRef<int64_t> shape, Type elementType) {
  auto space = gpu::AddressSpaceAttr::get(func.getContext(),
                                          gpu::AddressSpace::Workgroup);
  Value array = func.addWorkgroupAttribution(
      MemRefType::get(shape, elementType, MemRefLayoutAttrInterface(), space),
      b.getLoc());
  // Without it the array is aligned to its elements only.
  func.setWorkgroupAttributionAttr(func.getNumWorkgroupAttributions() - 1,
                                   LLVM::LLVMDialect::getAlignAttrName(),
                                   b.getI64IntegerAttr(16));
  return array;
}

KernelBuilder::KernelBuilder(RewriterBase &rewriter, func::FuncOp dispatch)
    : rewriter(rewriter), dispatch(dispatch) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = dispatch.getLoc();
  Block &old = dispatch.getBody().front();
  newBody = rewriter.createBlock(&dispatch.getBody(), dispatch.getBody().end());
  for (BlockArgument argument : old.getArguments())
    host[argument] = newBody->addArgument(memrefOf(argument.getType()), loc);
  // A value that is returned twice has two buffers, and its writer fills the
  // first; finish() copies.
  for (Value result : old.getTerminator()->getOperands())
    host.try_emplace(result,
                     newBody->addArgument(memrefOf(result.getType()), loc));
  rewriter.setInsertionPointAfter(dispatch);
  auto parent = dispatch->getParentOfType<ModuleOp>();
  // The payload's function may have any name.
  std::string name = (dispatch.getSymName() + "_kernels").str();
  for (unsigned i = 0; SymbolTable::lookupSymbolIn(parent, name); ++i)
    name = (dispatch.getSymName() + "_kernels_" + Twine(i)).str();
  module = gpu::GPUModuleOp::create(rewriter, loc, name);
  parent->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  rewriter.getUnitAttr());
}

Value KernelBuilder::temporary(ArrayRef<int64_t> shape, Type elementType) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToEnd(newBody);
  Value buffer = memref::AllocOp::create(rewriter, dispatch.getLoc(),
                                         MemRefType::get(shape, elementType));
  host[buffer] = buffer;
  return buffer;
}

Value KernelBuilder::hostBuffer(Value tensor) {
  auto [entry, isNew] = host.try_emplace(tensor);
  if (isNew) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToEnd(newBody);
    entry->second = memref::AllocOp::create(rewriter, tensor.getLoc(),
                                            memrefOf(tensor.getType()));
  }
  return entry->second;
}

Kernel KernelBuilder::begin(ValueRange reads, ValueRange writes, int64_t grid,
                            int64_t block) {
  OpBuilder::InsertionGuard guard(rewriter);
  MLIRContext *context = dispatch.getContext();
  Location loc = dispatch.getLoc();
  SmallVector<Value> tensors(reads);
  llvm::append_range(tensors, writes);
  operands.clear();
  for (Value tensor : tensors)
    operands.push_back(hostBuffer(tensor));

  rewriter.setInsertionPointToEnd(module.getBody());
  auto func = gpu::GPUFuncOp::create(
      rewriter, loc, (dispatch.getSymName() + "_" + Twine(kernels++)).str(),
      FunctionType::get(context, TypeRange(operands), {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                rewriter.getUnitAttr());
  func.setKnownBlockSizeAttr(
      rewriter.getDenseI32ArrayAttr({static_cast<int32_t>(block), 1, 1}));
  func.setKnownGridSizeAttr(
      rewriter.getDenseI32ArrayAttr({static_cast<int32_t>(grid), 1, 1}));
  if (Attribute attribute = dispatch->getAttr(kDispatchAttr))
    func->setAttr(kDispatchAttr, attribute);
  for (unsigned i = 0; i < tensors.size(); ++i) {
    func.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                    rewriter.getUnitAttr());
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                    rewriter.getI64IntegerAttr(16));
    if (i < reads.size())
      func.setArgAttr(i, LLVM::LLVMDialect::getReadonlyAttrName(),
                      rewriter.getUnitAttr());
  }

  rewriter.setInsertionPointToStart(&func.getBody().front());
  Kernel kernel{func, ImplicitLocOpBuilder(loc, rewriter)};
  kernel.threadId = gpu::ThreadIdOp::create(kernel.b, gpu::Dimension::x);
  kernel.blockId = gpu::BlockIdOp::create(kernel.b, gpu::Dimension::x);
  for (auto [tensor, argument] : llvm::zip(tensors, func.getArguments())) {
    auto type = cast<MemRefType>(argument.getType());
    kernel.buffers[tensor] = argument;
    int64_t elements = type.getNumElements();
    kernel.flat[tensor] = argument;
    if (type.getRank() != 1)
      kernel.flat[tensor] = memref::ReinterpretCastOp::create(
          kernel.b, MemRefType::get(elements, type.getElementType()), argument,
          /*offset=*/0, ArrayRef<int64_t>{elements}, ArrayRef<int64_t>{1});
  }
  return kernel;
}

void KernelBuilder::end(Kernel &kernel) {
  OpBuilder::InsertionGuard guard(rewriter);
  kernel.b.setInsertionPointToEnd(&kernel.func.getBody().front());
  gpu::ReturnOp::create(kernel.b);
  rewriter.setInsertionPointToEnd(newBody);
  Location loc = dispatch.getLoc();
  auto size = [&](ArrayRef<int32_t> sizes) {
    Value x = arith::ConstantIndexOp::create(rewriter, loc, sizes[0]);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    return gpu::KernelDim3{x, one, one};
  };
  gpu::KernelDim3 grid = size(*kernel.func.getKnownGridSize());
  gpu::KernelDim3 block = size(*kernel.func.getKnownBlockSize());
  gpu::LaunchFuncOp::create(rewriter, loc, kernel.func, grid, block,
                            /*dynamicSharedMemorySize=*/Value(), operands);
}

/// Lets a caller on tensors call the function on memrefs.
void KernelBuilder::adaptCall(Operation *op) {
  auto call = cast<func::CallOp>(op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(call);
  Location loc = call.getLoc();
  SmallVector<Value> buffers;
  for (Value operand : call.getOperands()) {
    auto known = operand.getDefiningOp<bufferization::ToTensorOp>();
    buffers.push_back(known ? known.getBuffer()
                            : bufferization::ToBufferOp::create(
                                  rewriter, loc, memrefOf(operand.getType()),
                                  operand, /*read_only=*/true)
                                  .getResult());
  }
  SmallVector<Value> results;
  for (Type type : call.getResultTypes())
    results.push_back(memref::AllocOp::create(rewriter, loc, memrefOf(type)));
  llvm::append_range(buffers, results);
  func::CallOp::create(rewriter, loc, dispatch, buffers);
  for (auto [result, type] : llvm::zip(results, call.getResultTypes()))
    result = bufferization::ToTensorOp::create(rewriter, loc, type, result,
                                               /*restrict=*/true,
                                               /*writable=*/true);
  rewriter.replaceOp(call, results);
}

void KernelBuilder::finish() {
  OpBuilder::InsertionGuard guard(rewriter);
  Block &old = dispatch.getBody().front();
  rewriter.setInsertionPointToEnd(newBody);
  // The out-arguments of results that share a value, or that are an argument.
  Block::BlockArgListType outs =
      newBody->getArguments().drop_front(old.getNumArguments());
  for (auto [out, result] : llvm::zip(outs, old.getTerminator()->getOperands()))
    if (host[result] != out)
      memref::CopyOp::create(rewriter, dispatch.getLoc(), host[result], out);
  func::ReturnOp::create(rewriter, dispatch.getLoc());
  while (!old.empty())
    rewriter.eraseOp(&old.back());
  rewriter.eraseBlock(&old);
  rewriter.modifyOpInPlace(dispatch, [&] {
    dispatch.setFunctionType(FunctionType::get(
        dispatch.getContext(), newBody->getArgumentTypes(), {}));
    dispatch.setResAttrsAttr(nullptr);
    dispatch.setArgAttrsAttr(nullptr);
  });
  auto parent = dispatch->getParentOfType<ModuleOp>();
  SmallVector<Operation *> calls;
  // Not by SymbolTable::getSymbolUses, which walks all kernels made so far: a
  // program may have hundreds of dispatches.
  for (auto caller : parent.getOps<func::FuncOp>())
    caller.walk([&](func::CallOp call) {
      if (call.getCallee() == dispatch.getSymName())
        calls.push_back(call);
    });
  for (Operation *call : calls)
    adaptCall(call);
}
