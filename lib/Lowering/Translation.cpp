// Translation of lowered kernels to LLVM IR, and LLVM's pipeline on it.
#include "BackEnd.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlir;
using namespace kernelskill;

namespace {
/// LLVM's own handler prints to standard error, and ends the process on errors.
struct EmitDiagnostics : llvm::DiagnosticHandler {
  explicit EmitDiagnostics(Location location) : location(location) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    mlir::emitError(location) << "LLVM: " << text;
    HasErrors = true;
    return true;
  }
  Location location;
};
} // namespace

std::unique_ptr<llvm::Module>
kernelskill::translateKernels(gpu::GPUModuleOp kernels,
                              llvm::LLVMContext &context) {
  context.setDiagnosticHandler(
      std::make_unique<EmitDiagnostics>(kernels.getLoc()));
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(kernels, context, "kernels");
  if (!module)
    kernels.emitError("kernels can't be translated to LLVM IR");
  return module;
}

FailureOr<std::string> kernelskill::generateCode(llvm::Module &module,
                                                 llvm::TargetMachine &machine,
                                                 llvm::OptimizationLevel level,
                                                 llvm::CodeGenFileType type,
                                                 Location location) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(level).run(module, modules);

  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, stream, nullptr, type))
    return emitError(location, "the back end can't write this kind of file");
  std::string fatal;
  if (!runGuarded([&] { codegen.run(module); }, fatal))
    return emitError(location, "LLVM's back end gave up: ") << fatal;
  if (module.getContext().getDiagHandlerPtr()->HasErrors)
    return failure(); // said by the handler
  return bytes.str().str();
}
