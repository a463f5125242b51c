// Linking CPU objects; see the header. No target is needed for this: the code
// is already there.
#include "CpuImage.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace kernelskill;

Expected<std::unique_ptr<CpuImage>> CpuImage::link(StringRef object,
                                                   const Program &program) {
  std::unique_ptr<CpuImage> image(new CpuImage);
  if (Error error = image->linkObject(object, program))
    return createStringError(
        "can't link the program's CPU image: " + toString(std::move(error)) +
        "; build the program again on this machine");
  return image;
}

CpuImage::~CpuImage() {
  if (session)
    consumeError(session->endSession());
}

Error CpuImage::linkObject(StringRef object, const Program &program) {
  Expected<std::unique_ptr<orc::SelfExecutorProcessControl>> control =
      orc::SelfExecutorProcessControl::Create(
          nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!control)
    return control.takeError();
  session = std::make_unique<orc::ExecutionSession>(std::move(*control));
  // What goes wrong in the linker is reported apart from the failed look-up.
  std::string reports;
  session->setErrorReporter([&](Error error) {
    reports += (reports.empty() ? "" : "; ") + toString(std::move(error));
  });
  // The reporter must not outlive `reports`.
  scope_exit quiet([&] {
    session->setErrorReporter(
        [](Error error) { consumeError(std::move(error)); });
  });
  layer = std::make_unique<orc::ObjectLinkingLayer>(*session);
  orc::JITDylib &library = session->createBareJITDylib("program");
  orc::SymbolMap symbols;
  for (const CpuSymbol &symbol : cpuSymbols())
    symbols[session->intern(symbol.name)] = {
        orc::ExecutorAddr::fromPtr(symbol.address),
        JITSymbolFlags::Exported | JITSymbolFlags::Callable};
  if (Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  if (Error error = layer->add(
          library, MemoryBuffer::getMemBufferCopy(object, "CPU image")))
    return error;
  for (const KernelRecord &kernel : program.kernels) {
    Expected<orc::ExecutorSymbolDef> entry =
        session->lookup({&library}, kernel.name);
    if (!entry) {
      Error error = entry.takeError();
      if (reports.empty())
        return error;
      consumeError(std::move(error));
      return createStringError(reports);
    }
    entries.push_back(entry->getAddress().toPtr<CpuKernel>());
  }
  return Error::success();
}
