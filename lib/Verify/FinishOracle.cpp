// Checks and completes the kernel stage of an oracle. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "KernelSkill/IR/KernelSkillDialect.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

namespace kernelskill {
#define GEN_PASS_DEF_FINISHORACLE
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// The buffer that a memref on the host is part of.
Value rootBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

bool isPlanOp(Operation *op) {
  return isa<memref::AllocOp, memref::CopyOp, memref::GetGlobalOp,
             gpu::LaunchFuncOp, ViewLikeOpInterface, func::ReturnOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

std::optional<SmallVector<int32_t, 3>> constants(gpu::KernelDim3 size) {
  SmallVector<int32_t, 3> values;
  for (Value value : {size.x, size.y, size.z}) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)) || !constant.isIntN(31))
      return std::nullopt;
    values.push_back(constant.getSExtValue());
  }
  return values;
}

// All of a kernel but its name.
std::string textOf(gpu::GPUFuncOp kernel) {
  kernel.setName("kernel");
  std::string text;
  llvm::raw_string_ostream os(text);
  kernel->print(os, OpPrintingFlags().enableDebugInfo(false).useLocalScope());
  return text;
}

struct FinishOracle : kernelskill::impl::FinishOracleBase<FinishOracle> {
  // Writes in a kernel to one of its arguments.
  static bool isWritten(gpu::GPUFuncOp kernel, BlockArgument argument) {
    SmallVector<Value> views = {argument};
    while (!views.empty())
      for (Operation *user : views.pop_back_val().getUsers()) {
        if (isa<ViewLikeOpInterface>(user))
          llvm::append_range(views, user->getResults());
        else if (!isa<memref::LoadOp>(user))
          return true;
      }
    return false;
  }

  void describeArguments(gpu::GPUFuncOp kernel, gpu::LaunchFuncOp launch) {
    DenseMap<Value, unsigned> uses;
    for (Value operand : launch.getKernelOperands())
      ++uses[rootBuffer(operand)];
    UnitAttr unit = UnitAttr::get(&getContext());
    for (auto [index, operand] : llvm::enumerate(launch.getKernelOperands())) {
      if (!isa<MemRefType>(operand.getType()) || uses[rootBuffer(operand)] > 1)
        continue;
      kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), unit);
      if (!isWritten(kernel, kernel.getArgument(index)))
        kernel.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(),
                          unit);
    }
  }

  LogicalResult moveKernel(gpu::LaunchFuncOp launch, gpu::GPUModuleOp into,
                           unsigned number) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    std::optional<SmallVector<int32_t, 3>> grid =
        constants(launch.getGridSizeOperandValues());
    std::optional<SmallVector<int32_t, 3>> block =
        constants(launch.getBlockSizeOperandValues());
    if (!kernel || !grid || !block)
      return launch.emitError("grid and block sizes must be constants");
    Builder builder(&getContext());
    kernel.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(*grid));
    kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(*block));
    describeArguments(kernel, launch);
    StringRef module = into.getName();
    module.consume_back("_kernels");
    std::string name = (module + "_" + Twine(number)).str();
    // A deep network has thousands of kernels, half of them twice.
    auto [same, isNew] = byText.try_emplace(textOf(kernel), name);
    if (isNew) {
      kernel->moveBefore(into.getBody(), into.getBody()->end());
      kernel.setName(name);
    }
    launch.setKernelAttr(SymbolRefAttr::get(
        into.getNameAttr(),
        FlatSymbolRefAttr::get(&getContext(), same->second)));
    return success();
  }

  llvm::StringMap<std::string> byText;

  LogicalResult finish(func::FuncOp function) {
    SmallVector<gpu::LaunchFuncOp> launches;
    for (Operation &op : function.getBody().getOps()) {
      if (!isPlanOp(&op))
        return op.emitError("the GPU mapping left '")
               << op.getName() << "' to the host";
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
        launches.push_back(launch);
    }
    // What buffer-results-to-out-params says of the arguments that it adds.
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.removeArgAttr(i, "bufferize.result"))
        function.setArgAttr(i, kernelskill::kResultAttr,
                            UnitAttr::get(&getContext()));
    SmallVector<gpu::GPUModuleOp> outlined(
        getOperation().getOps<gpu::GPUModuleOp>());
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto kernels = gpu::GPUModuleOp::create(
        builder, function.getLoc(), (function.getName() + "_kernels").str());
    byText.clear();
    for (auto [number, launch] : llvm::enumerate(launches))
      if (failed(moveKernel(launch, kernels, number)))
        return failure();
    for (gpu::GPUModuleOp module : outlined)
      module.erase();
    return success();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isExternal())
        continue;
      if (failed(finish(function)))
        return signalPassFailure();
      break;
    }
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
  }
};

} // namespace
