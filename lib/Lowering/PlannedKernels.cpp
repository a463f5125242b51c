// Finds the host function or the single kernel, and gathers the kernels.
#include "PlannedKernels.h"

#include "HostPlan.h"
#include "KernelLowering.h"

#include "KernelSkill/IR/KernelSkillDialect.h"

using namespace mlir;
using namespace kernelskill;

/// The one public function with a body, or null if there is none.
static FailureOr<func::FuncOp> findHostFunction(ModuleOp module) {
  func::FuncOp host;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (host) {
      InFlightDiagnostic diagnostic =
          function.emitError("a second public function; the kernel stage has "
                             "one");
      diagnostic.attachNote(host.getLoc()) << "the first is here";
      return diagnostic;
    }
    host = function;
  }
  return host;
}

static FailureOr<HostPlan> readPlan(ModuleOp module) {
  FailureOr<func::FuncOp> host = findHostFunction(module);
  if (failed(host))
    return failure();
  if (*host) {
    PassManager pm(module.getContext());
    pm.enableVerifier(false);
    pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    if (failed(pm.run(module)))
      return failure();
    return readHostFunction(*host);
  }
  SmallVector<gpu::GPUFuncOp> kernels;
  module.walk([&](gpu::GPUFuncOp function) {
    if (function.isKernel())
      kernels.push_back(function);
  });
  if (kernels.size() == 1)
    return planSingleKernel(kernels.front());
  if (kernels.empty())
    return module.emitError("the module has neither a public function nor a "
                            "kernel (a 'gpu.func … kernel')");
  InFlightDiagnostic diagnostic =
      module.emitError("the module has no public function that launches its ")
      << kernels.size()
      << " kernels; add a func.func with one gpu.launch_func for each";
  for (gpu::GPUFuncOp kernel : kernels)
    diagnostic.attachNote(kernel.getLoc()) << "a kernel";
  return diagnostic;
}

/// Tells each kernel the grid and the block that all of its launches agree on:
/// they bound its ids.
static void stateKnownSizes(HostPlan &plan) {
  for (size_t number = 0; number < plan.kernels.size(); ++number) {
    gpu::GPUFuncOp kernel = plan.kernels[number];
    const StepRecord *first = nullptr;
    bool sameGrid = true, sameBlock = true;
    for (const StepRecord &step : plan.program.steps) {
      if (step.kind != StepRecord::Kind::Launch || step.kernel != number)
        continue;
      first = first ? first : &step;
      sameGrid &= step.grid == first->grid;
      sameBlock &= step.block == first->block;
    }
    auto toAttribute = [&](const std::array<uint32_t, 3> &sizes) {
      return SmallVector<int32_t, 3>(sizes.begin(), sizes.end());
    };
    if (sameGrid && !kernel.getKnownGridSize())
      kernel.setKnownGridSize(toAttribute(first->grid));
    if (sameBlock && !kernel.getKnownBlockSize())
      kernel.setKnownBlockSize(toAttribute(first->block));
  }
}

/// A name that PTX takes as an identifier.
static std::string toIdentifier(StringRef name) {
  std::string identifier = name.str();
  for (char &c : identifier)
    if (!llvm::isAlnum(c) && c != '_' && c != '$')
      c = '_';
  return identifier;
}

/// Moves the planned kernels and what they use into one gpu.module, under names
/// that are unique and identifiers. Fills the kernel records.
static OwningOpRef<ModuleOp> gatherKernels(ModuleOp module, HostPlan &plan) {
  llvm::SetVector<gpu::GPUModuleOp> used;
  for (gpu::GPUFuncOp kernel : plan.kernels)
    used.insert(kernel->getParentOfType<gpu::GPUModuleOp>());
  OwningOpRef<ModuleOp> holder(ModuleOp::create(module.getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(holder->getBody());
  auto kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "kernelskill_kernels");
  llvm::StringSet<> taken;
  for (gpu::GPUModuleOp source : used) {
    // Kernels that nothing launches stay behind.
    SmallVector<Operation *> symbols;
    for (Operation &op : *source.getBody()) {
      auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
      if (isa<SymbolOpInterface>(op) &&
          (!kernel || plan.kernels.contains(kernel)))
        symbols.push_back(&op);
    }
    for (Operation *symbol : symbols) {
      StringRef old = SymbolTable::getSymbolName(symbol).getValue();
      std::string base = toIdentifier(old), name = base;
      for (unsigned i = 1; !taken.insert(name).second; ++i)
        name = base + "_" + std::to_string(i);
      auto attribute = StringAttr::get(module.getContext(), name);
      if (name != old) {
        (void)SymbolTable::replaceAllSymbolUses(symbol, attribute, source);
        SymbolTable::setSymbolName(symbol, attribute);
      }
      if (!isa<gpu::GPUFuncOp>(symbol))
        SymbolTable::setSymbolVisibility(symbol,
                                         SymbolTable::Visibility::Private);
    }
    for (Operation *symbol : symbols)
      symbol->moveBefore(kernels.getBody(), kernels.getBody()->end());
  }
  for (gpu::GPUFuncOp kernel : plan.kernels) {
    KernelRecord record;
    record.name = kernel.getName().str();
    if (auto dispatch = kernel->getAttrOfType<DispatchAttr>(kDispatchAttr))
      record.dispatch = dispatch.getFingerprint().str();
    plan.program.kernels.push_back(std::move(record));
  }
  return holder;
}

gpu::GPUModuleOp kernelskill::kernelsOf(ModuleOp holder) {
  return *holder.getOps<gpu::GPUModuleOp>().begin();
}

FailureOr<PlannedKernels> kernelskill::planKernels(ModuleOp module) {
  DialectRegistry registry;
  registerLoweringDialects(registry);
  module.getContext()->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    module.getContext()->getOrLoadDialect(name);

  FailureOr<HostPlan> plan = readPlan(module);
  if (failed(plan))
    return failure();
  PlannedKernels planned;
  stateKnownSizes(*plan);
  planned.holder = gatherKernels(module, *plan);
  gpu::GPUModuleOp kernels = kernelsOf(*planned.holder);
  nameLocations(kernels);
  if (failed(prepareKernels(*planned.holder)))
    return failure();
  planned.indexBitwidth = chooseIndexBitwidth(kernels);
  for (auto [step, argument] : plan->indexScalars)
    plan->program.steps[step].arguments[argument].size =
        planned.indexBitwidth / 8;
  planned.program = std::move(plan->program);
  return std::move(planned);
}
