// Checks the contracts of the dispatch stage and the kernel stage, so that a
// bad step is refused where it was made and not ten passes later.
#include "KernelSkill/Skills/VerifyStage.h"
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Skills/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "KernelSkill/Skills/Passes.h.inc"
} // namespace kernelskill

bool kernelskill::isKernelPayload(ModuleOp module) {
  return !module.getOps<gpu::GPUModuleOp>().empty() &&
         module.getOps<func::FuncOp>().empty();
}

/// The one public function, or an error that says what there is instead.
static FailureOr<func::FuncOp> hostFunction(ModuleOp module) {
  func::FuncOp host;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    if (host) {
      auto diagnostic = function.emitError()
                        << "expected one public function, but there are more";
      diagnostic.attachNote(host.getLoc()) << "the other one";
      return diagnostic;
    }
    host = function;
  }
  if (!host)
    return module.emitError() << "expected one public function, but there is "
                                 "none";
  return host;
}

static LogicalResult verifyTypes(FunctionOpInterface function,
                                 llvm::function_ref<bool(Type)> allowed,
                                 StringRef expected) {
  for (ArrayRef<Type> types :
       {function.getArgumentTypes(), function.getResultTypes()})
    for (Type type : types)
      if (!allowed(type))
        return function.emitError()
               << "expected " << expected << ", but there is a " << type;
  return success();
}

/// A call must reach a dispatch function.
static LogicalResult verifyCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (callee && callee->hasAttr(kDispatchAttr))
    return success();
  return call.emitError() << "'@" << call.getCallee()
                          << "' is no dispatch function";
}

/// Checks the host function's body, op by op.
static LogicalResult
verifyHostBody(func::FuncOp host, StringRef stage,
               llvm::function_ref<bool(Operation &)> allowed) {
  if (!host.getBody().hasOneBlock())
    return host.emitError()
           << "expected straight-line code at the " << stage << " stage";
  for (Operation &op : host.getBody().front()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (failed(verifyCall(call)))
        return failure();
    } else if (!op.hasTrait<OpTrait::ConstantLike>() &&
               !isa<func::ReturnOp>(op) && !allowed(op)) {
      return op.emitError() << "'" << op.getName()
                            << "' can't stand in the host function at the "
                            << stage << " stage";
    }
  }
  return success();
}

LogicalResult kernelskill::verifyDispatchStage(ModuleOp module) {
  auto isStaticTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  FailureOr<func::FuncOp> host = hostFunction(module);
  if (failed(host))
    return failure();
  auto isReshape = [](Operation &op) {
    return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
  };
  if (failed(verifyHostBody(*host, "dispatch", isReshape)))
    return failure();
  llvm::StringMap<func::FuncOp> seen;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      return function.emitError() << "a function without a body can't stand "
                                     "in a payload";
    auto dispatch = function->getAttrOfType<DispatchAttr>(kDispatchAttr);
    if (function.isPrivate() && !dispatch)
      return function.emitError()
             << "a private function must be a dispatch ('" << kDispatchAttr
             << "') at the dispatch stage";
    if (failed(verifyTypes(function, isStaticTensor,
                           "tensors of static shape only")))
      return failure();
    if (!dispatch)
      continue;
    auto [other, fresh] = seen.try_emplace(dispatch.getFingerprint(), function);
    if (!fresh) {
      auto diagnostic = function.emitError()
                        << "dispatch '" << dispatch.getFingerprint()
                        << "' is formed twice; equal dispatches share one "
                           "function";
      diagnostic.attachNote(other->second.getLoc()) << "the other one";
      return diagnostic;
    }
  }
  return success();
}

static bool isPlainMemref(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity() &&
         !memref.getMemorySpace();
}

/// CUDA's limits of a launch, which hold on the CPU device too.
static LogicalResult verifySizes(gpu::GPUFuncOp kernel, StringRef name,
                                 ArrayRef<int32_t> sizes,
                                 ArrayRef<int64_t> limits) {
  if (sizes.size() != 3)
    return kernel.emitError()
           << "'" << name << "' must have 3 sizes, but has " << sizes.size();
  for (auto [dimension, size, limit] :
       llvm::zip_equal(StringRef("xyz"), sizes, limits))
    if (size < 1 || size > limit)
      return kernel.emitError()
             << "'" << name << "' must be from 1 to " << limit << " along "
             << StringRef(&dimension, 1) << ", but is " << size;
  return success();
}

static LogicalResult verifyKernel(gpu::GPUFuncOp kernel) {
  if (!kernel.isKernel())
    return success();
  if (!kernel.getKnownBlockSize() || !kernel.getKnownGridSize())
    return kernel.emitError() << "expected 'known_block_size' and "
                                 "'known_grid_size' on a kernel";
  ArrayRef<int32_t> block = *kernel.getKnownBlockSize();
  if (failed(
          verifySizes(kernel, "known_block_size", block, {1024, 1024, 64})) ||
      failed(verifySizes(kernel, "known_grid_size", *kernel.getKnownGridSize(),
                         {INT32_MAX, 65535, 65535})))
    return failure();
  int64_t threads = int64_t(block[0]) * block[1] * block[2];
  if (threads > 1024)
    return kernel.emitError() << "a block has at most 1024 threads, but "
                                 "'known_block_size' makes "
                              << threads;
  return verifyTypes(
      kernel,
      [](Type type) {
        return isPlainMemref(type) || type.isIntOrIndexOrFloat();
      },
      "memrefs of static shape, identity layout and default memory space, or "
      "scalars");
}

LogicalResult kernelskill::verifyKernelStage(ModuleOp module) {
  WalkResult kernels = module.walk(
      [](gpu::GPUFuncOp kernel) { return WalkResult(verifyKernel(kernel)); });
  if (kernels.wasInterrupted())
    return failure();
  if (isKernelPayload(module))
    return success();
  FailureOr<func::FuncOp> host = hostFunction(module);
  if (failed(host))
    return failure();
  auto isBuffer = [](Operation &op) {
    return isa<memref::MemRefDialect>(op.getDialect());
  };
  if (failed(verifyHostBody(*host, "kernel", isBuffer)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(verifyTypes(function, isPlainMemref,
                           "memrefs of static shape, identity layout and "
                           "default memory space only")))
      return failure();
    if (function == *host)
      continue;
    for (Operation &op : function.getBody().getOps())
      if (!isa<memref::AllocOp, memref::DeallocOp, gpu::LaunchFuncOp,
               func::ReturnOp>(op) &&
          !op.hasTrait<OpTrait::ConstantLike>())
        return op.emitError() << "'" << op.getName()
                              << "' can't stand in a dispatch function at the "
                                 "kernel stage";
  }
  return success();
}

namespace {
struct VerifyStagePass
    : kernelskill::impl::VerifyStagePassBase<VerifyStagePass> {
  using VerifyStagePassBase::VerifyStagePassBase;

  void runOnOperation() override {
    LogicalResult checked = failure();
    if (stage == "dispatch")
      checked = verifyDispatchStage(getOperation());
    else if (stage == "kernel")
      checked = verifyKernelStage(getOperation());
    else
      getOperation().emitError()
          << "unknown stage '" << stage << "': expected dispatch or kernel";
    if (failed(checked))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
