// Turns lowered kernels into functions of the CPU device's interface.
#include "CpuKernels.h"
#include "KernelLowering.h"

#include "KernelSkill/Runtime/CpuAbi.h"

#include <cstddef>

using namespace mlir;
using namespace kernelskill;

Value CpuCalls::call(StringRef name, Type result, ValueRange operands,
                     Operation *op) {
  OpBuilder builder(op);
  Type number = builder.getI32Type();
  SmallVector<Value> values{thread};
  llvm::append_range(values, operands);
  auto [entry, isNew] = numbers.try_emplace(op, kernel.ops.size());
  if (isNew)
    kernel.ops.push_back(describeLocation(op->getLoc()));
  values.push_back(LLVM::ConstantOp::create(builder, op->getLoc(), number,
                                            int64_t(entry->second)));
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    SmallVector<Type> types(ValueRange(values).getTypes());
    auto function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(
            result ? result : LLVM::LLVMVoidType::get(builder.getContext()),
            types));
    function.setConvergent(true);
    function.setNoUnwind(true);
    // The checks touch none of the kernel's memory, so that values stay in
    // registers across them; that they may not return keeps accesses behind
    // them.
    if (name == "ks_cpu_load" || name == "ks_cpu_store") {
      using LLVM::ModRefInfo;
      auto none = ModRefInfo::NoModRef;
      function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
          builder.getContext(),
          {none, none, ModRefInfo::ModRef, none, none, none}));
    }
  }
  auto call = LLVM::CallOp::create(builder, op->getLoc(),
                                   result ? TypeRange(result) : TypeRange(),
                                   name, values);
  return result ? call.getResult() : Value();
}

/// Shared and global pointers are plain addresses on the CPU.
static void dropAddressSpaces(gpu::GPUModuleOp kernels) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMPointerType type) {
    return LLVM::LLVMPointerType::get(type.getContext());
  });
  replacer.recursivelyReplaceElementsIn(kernels, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  kernels.walk([](LLVM::AddrSpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getArg());
    cast.erase();
  });
}

/// Gives the kernel the signature (thread, arguments) and loads its arguments.
static void changeSignature(LLVM::LLVMFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  Location location = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  unsigned count = entry.getNumArguments();
  entry.insertArgument(0u, pointer, location);
  Value arguments = entry.insertArgument(1u, pointer, location);
  for (unsigned i = 0; i < count; ++i) {
    BlockArgument argument = entry.getArgument(2 + i);
    if (argument.use_empty())
      continue;
    Value slot = LLVM::GEPOp::create(builder, location, pointer, pointer,
                                     arguments, LLVM::GEPArg(int32_t(i)));
    Value address = LLVM::LoadOp::create(builder, location, pointer, slot);
    Value value =
        LLVM::LoadOp::create(builder, location, argument.getType(), address);
    argument.replaceAllUsesWith(value);
  }
  entry.eraseArguments(2, count);
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), {pointer, pointer}));
  kernel.removeArgAttrsAttr();
  SmallVector<StringAttr> device;
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("nvvm.") ||
        attribute.getName().strref().starts_with("gpu."))
      device.push_back(attribute.getName());
  for (StringAttr name : device)
    kernel->removeAttr(name);
}

/// Addresses of shared variables become offsets into the block's arena.
static void placeShared(LLVM::LLVMFuncOp kernel, const SharedLayout &layout) {
  SmallVector<LLVM::AddressOfOp> addresses;
  kernel.walk([&](LLVM::AddressOfOp address) {
    if (layout.offsets.contains(address.getGlobalName()))
      addresses.push_back(address);
  });
  if (addresses.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  Value field = LLVM::GEPOp::create(
      builder, kernel.getLoc(), pointer, builder.getI8Type(),
      kernel.getArgument(0), LLVM::GEPArg(int32_t(offsetof(KsThread, shared))));
  auto base = LLVM::LoadOp::create(builder, kernel.getLoc(), pointer, field);
  base.setInvariant(true);
  for (LLVM::AddressOfOp address : addresses) {
    builder.setInsertionPoint(address);
    Value place = LLVM::GEPOp::create(
        builder, address.getLoc(), pointer, builder.getI8Type(), base,
        LLVM::GEPArg(int32_t(layout.offsets.lookup(address.getGlobalName()))));
    address.replaceAllUsesWith(place);
    address.erase();
  }
}

/// Rewrites what is left: the NVVM dialect, traps, calls.
static LogicalResult replaceDeviceOps(LLVM::LLVMFuncOp kernel, CpuCalls &calls,
                                      CpuKernel &record) {
  SmallVector<Operation *> operations;
  kernel.walk([&](Operation *op) { operations.push_back(op); });
  bool failed = false;
  auto refuse = [&](Operation *op, const Twine &what) {
    failed = true;
    op->emitError() << "'" << what << "' is not supported on the CPU device";
  };
  for (Operation *op : operations) {
    StringRef name = op->getName().getStringRef();
    if (isa<NVVM::NVVMDialect>(op->getDialect())) {
      if (replaceNvvmOp(op, calls, record))
        op->erase();
      else
        refuse(op, name);
    } else if (isa<LLVM::Trap>(op)) {
      calls.call("ks_cpu_trap", Type(), {}, op);
      op->erase();
    } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      StringRef callee = call.getCallee().value_or("an indirect call");
      if (callee == "__assertfail") {
        calls.call("ks_cpu_trap", Type(), {}, op);
        op->erase();
      } else if (!callee.starts_with("ks_cpu_") && !isCpuMathFunction(callee)) {
        refuse(op, callee);
      }
    } else if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
      if (call.getIntrin().starts_with("llvm.nvvm"))
        refuse(op, call.getIntrin());
    } else if (isa<LLVM::InlineAsmOp>(op)) {
      refuse(op, name);
    }
  }
  return failure(failed);
}

FailureOr<CpuKernels> kernelskill::rewriteForCpu(gpu::GPUModuleOp kernels,
                                                 bool checks) {
  CpuKernels records;
  bool failed = false;
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : kernels.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      functions.push_back(function);
  dropAddressSpaces(kernels);
  for (LLVM::LLVMFuncOp function : functions) {
    CpuKernel &record = records[function.getSymNameAttr()];
    SharedLayout layout = layoutShared(function);
    changeSignature(function);
    CpuCalls calls(kernels, function.getArgument(0), record);
    // Before the arguments' own loads are told apart no more: checks first.
    if (checks)
      insertCpuChecks(function, calls);
    placeShared(function, layout);
    failed |= mlir::failed(replaceDeviceOps(function, calls, record));
  }
  if (failed)
    return failure();
  // Shared variables and libdevice's declarations have no users any more.
  for (Operation &op : llvm::make_early_inc_range(*kernels.getBody())) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if ((isa<LLVM::GlobalOp>(op) || (function && function.isExternal())) &&
        SymbolTable::symbolKnownUseEmpty(&op, kernels))
      op.erase();
  }
  return records;
}
