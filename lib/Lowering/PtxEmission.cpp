// Kernels in the LLVM and NVVM dialects to PTX: libdevice, LLVM's pipeline, the
// NVPTX back end.
#include "BackEnd.h"
#include "Target.h"

#include "KernelSkill/Lowering/Lowering.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace kernelskill;

/// The bitcode of libdevice, read once a path: it is half a megabyte.
static llvm::Expected<llvm::MemoryBufferRef>
readLibdevice(const LoweringOptions &options) {
  std::string path = options.libdevice;
  if (path.empty()) {
    llvm::Expected<std::string> found = findLibdevice();
    if (!found)
      return found.takeError();
    path = *found;
  }
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<llvm::MemoryBuffer> &buffer = buffers[path];
  if (!buffer) {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> read =
        llvm::MemoryBuffer::getFile(path);
    if (!read)
      return llvm::createStringError("cannot read libdevice '" + path +
                                     "': " + read.getError().message());
    buffer = std::move(*read);
  }
  return buffer->getMemBufferRef();
}

/// Links the functions of libdevice that the module calls, if it calls any.
static llvm::Error linkLibdevice(llvm::Module &module,
                                 const LoweringOptions &options) {
  if (llvm::none_of(module.functions(), [](const llvm::Function &function) {
        return function.isDeclaration() &&
               function.getName().starts_with("__nv_");
      }))
    return llvm::Error::success();
  llvm::Expected<llvm::MemoryBufferRef> buffer = readLibdevice(options);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getLazyBitcodeModule(*buffer, module.getContext());
  if (!library)
    return library.takeError();
  // Its triple and data layout are older spellings of the same target.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool failed = llvm::Linker::linkModules(
      module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
      [](llvm::Module &linked, const llvm::StringSet<> &imported) {
        llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
          return !value.hasName() || !imported.contains(value.getName());
        });
      });
  if (failed)
    return llvm::createStringError("libdevice can't be linked");
  return llvm::Error::success();
}

FailureOr<std::string> kernelskill::emitPtx(gpu::GPUModuleOp kernels,
                                            const LoweringOptions &options) {
  auto fail = [&](llvm::Error error) -> FailureOr<std::string> {
    return kernels.emitError(llvm::toString(std::move(error)));
  };
  llvm::Expected<std::string> feature = ptxFeature(options);
  if (!feature)
    return fail(feature.takeError());

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateKernels(kernels, context);
  if (!module)
    return failure();
  llvm::TargetOptions target;
  // mul and add stay two roundings unless an operation allows contraction.
  target.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::unique_ptr<llvm::TargetMachine> machine(
      nvptxTarget()->createTargetMachine(triple, options.chip, *feature, target,
                                         std::nullopt, std::nullopt,
                                         llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return fail(
        llvm::createStringError("no NVPTX back end for " + options.chip));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  // libdevice asks for this flag: denormals are kept.
  module->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 0u);
  if (llvm::Error error = linkLibdevice(*module, options))
    return fail(std::move(error));
  return generateCode(*module, *machine, llvm::OptimizationLevel::O3,
                      llvm::CodeGenFileType::AssemblyFile, kernels.getLoc());
}
