// The CPU image of a program, linked into this process by JITLink.
#ifndef KERNELSKILL_LIB_RUNTIME_CPUIMAGE_H
#define KERNELSKILL_LIB_RUNTIME_CPUIMAGE_H

#include "CpuBlock.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

namespace kernelskill {

class CpuImage {
public:
  /// Links a relocatable object. It may use what cpuSymbols() lists; anything
  /// else is an error that names the symbol.
  static llvm::Expected<std::unique_ptr<CpuImage>> link(llvm::StringRef object,
                                                        const Program &program);
  ~CpuImage();

  /// The entry points, in the order of the program's kernels.
  llvm::ArrayRef<CpuKernel> kernels() const { return entries; }

private:
  CpuImage() = default;
  llvm::Error linkObject(llvm::StringRef object, const Program &program);

  std::unique_ptr<llvm::orc::ExecutionSession> session;
  std::unique_ptr<llvm::orc::ObjectLinkingLayer> layer;
  std::vector<CpuKernel> entries;
};

/// What generated code may call: the contract of CpuAbi.h, the mathematical
/// library, and what LLVM's code generator calls by itself.
struct CpuSymbol {
  const char *name;
  void *address;
};
llvm::ArrayRef<CpuSymbol> cpuSymbols();

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_CPUIMAGE_H
