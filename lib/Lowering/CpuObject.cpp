// Kernels rewritten for the CPU device to a relocatable x86-64 object.
#include "BackEnd.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace kernelskill;

static const llvm::Target *x86Target() {
  static const llvm::Target *target = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    std::string unused;
    return llvm::TargetRegistry::lookupTarget(llvm::Triple(kCpuTriple), unused);
  }();
  return target;
}

FailureOr<std::string> kernelskill::emitCpuObject(gpu::GPUModuleOp kernels) {
  if (!x86Target())
    return kernels.emitError(
        "this LLVM has no x86 back end; build with one that has");
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateKernels(kernels, context);
  if (!module)
    return failure();
  llvm::TargetOptions target;
  target.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  llvm::Triple triple(kCpuTriple);
  // One fixed level, so that an object runs on more machines than this one; v3
  // has fma and half conversions as instructions.
  std::unique_ptr<llvm::TargetMachine> machine(x86Target()->createTargetMachine(
      triple, "x86-64-v3", "", target, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  if (!machine)
    return kernels.emitError("no x86-64 back end");
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  return generateCode(*module, *machine, llvm::OptimizationLevel::O2,
                      llvm::CodeGenFileType::ObjectFile, kernels.getLoc());
}
