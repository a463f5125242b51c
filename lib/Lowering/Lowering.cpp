// lowerToProgram: plan, PTX, cubin and CPU object of a kernel stage.
#include "KernelSkill/Lowering/Lowering.h"

#include "BackEnd.h"
#include "CpuKernels.h"
#include "KernelLowering.h"
#include "PlannedKernels.h"

#include "KernelSkill/Version.h"

using namespace mlir;
using namespace kernelskill;

static LogicalResult addGpuImages(ModuleOp prepared, unsigned indexBitwidth,
                                  const LoweringOptions &options,
                                  Program &program) {
  OwningOpRef<ModuleOp> clone(prepared.clone());
  if (failed(lowerKernels(*clone, Backend::Ptx, indexBitwidth)))
    return failure();
  FailureOr<std::string> ptx = emitPtx(kernelsOf(*clone), options);
  if (failed(ptx))
    return failure();
  if (options.cubin) {
    llvm::Expected<AssembledModule> assembled = assemble(*ptx, options);
    if (!assembled)
      return kernelsOf(*clone).emitError(llvm::toString(assembled.takeError()));
    for (KernelRecord &kernel : program.kernels) {
      const AssembledKernel &found = assembled->kernels[kernel.name];
      kernel.registers = found.registers;
      kernel.spillBytes = found.spillBytes;
      kernel.staticShared = found.staticShared;
    }
    program.images.push_back(
        {ImageRecord::Kind::Cubin, options.chip, std::move(assembled->cubin)});
  }
  if (options.ptx)
    program.images.push_back(
        {ImageRecord::Kind::Ptx, options.chip, std::move(*ptx)});
  return success();
}

static LogicalResult addCpuImage(ModuleOp prepared, unsigned indexBitwidth,
                                 const LoweringOptions &options,
                                 Program &program) {
  OwningOpRef<ModuleOp> clone(prepared.clone());
  if (failed(lowerKernels(*clone, Backend::Cpu, indexBitwidth)))
    return failure();
  gpu::GPUModuleOp kernels = kernelsOf(*clone);
  for (KernelRecord &kernel : program.kernels)
    if (auto function = kernels.lookupSymbol<LLVM::LLVMFuncOp>(kernel.name))
      kernel.staticShared = layoutShared(function).staticBytes;
  FailureOr<CpuKernels> records = rewriteForCpu(kernels, options.cpuChecks);
  if (failed(records))
    return failure();
  for (KernelRecord &kernel : program.kernels) {
    CpuKernel &found =
        (*records)[StringAttr::get(clone->getContext(), kernel.name)];
    kernel.cpuOps = std::move(found.ops);
    kernel.blocking = found.blocking;
  }
  FailureOr<std::string> object = emitCpuObject(kernels);
  if (failed(object))
    return failure();
  program.images.push_back(
      {ImageRecord::Kind::CpuObject, kCpuTriple.str(), std::move(*object)});
  return success();
}

FailureOr<Program> kernelskill::lowerToProgram(ModuleOp module,
                                               const LoweringOptions &options) {
  if (llvm::Error error = checkTarget(options))
    return module.emitError(llvm::toString(std::move(error)));
  FailureOr<PlannedKernels> planned = planKernels(module);
  if (failed(planned))
    return failure();
  Program program = std::move(planned->program);
  program.producer = "kernelskill " KERNELSKILL_VERSION;
  if (!program.kernels.empty()) {
    ModuleOp prepared = *planned->holder;
    unsigned indexBitwidth = planned->indexBitwidth;
    if ((options.ptx || options.cubin) &&
        failed(addGpuImages(prepared, indexBitwidth, options, program)))
      return failure();
    if (options.cpu &&
        failed(addCpuImage(prepared, indexBitwidth, options, program)))
      return failure();
  }
  if (llvm::Error error = verifyProgram(program))
    return module.emitError(llvm::toString(std::move(error)));
  return std::move(program);
}
