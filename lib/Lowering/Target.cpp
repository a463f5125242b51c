// Checks chip and PTX version, since LLVM ends the process on a bad pair.
#include "Target.h"

#include "KernelSkill/Analysis/Chip.h"
#include "KernelSkill/Lowering/Lowering.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

using namespace kernelskill;

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

const llvm::Target *kernelskill::nvptxTarget() {
  static const llvm::Target *target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string unused;
    return llvm::TargetRegistry::lookupTarget(llvm::Triple(kTriple), unused);
  }();
  return target;
}

/// The PTX versions that the back end can write, ascending.
static std::vector<unsigned> writablePtxVersions() {
  std::vector<unsigned> versions;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      nvptxTarget()->createMCSubtargetInfo(llvm::Triple(kTriple), "", ""));
  if (!info)
    return versions;
  for (const llvm::SubtargetFeatureKV &feature :
       info->getAllProcessorFeatures()) {
    llvm::StringRef name = feature.Key;
    unsigned version;
    if (name.consume_front("ptx") && !name.getAsInteger(10, version))
      versions.push_back(version);
  }
  llvm::sort(versions);
  return versions;
}

llvm::Expected<std::string>
kernelskill::ptxFeature(const LoweringOptions &options) {
  llvm::Expected<const Chip *> chip = findChip(options.chip);
  if (!chip)
    return chip.takeError();
  if (!nvptxTarget())
    return llvm::createStringError(
        "this LLVM has no NVPTX back end; build with one that has");
  if (options.ptxVersion.empty())
    return "+ptx" + std::to_string((*chip)->minPtx);

  std::string known;
  unsigned version = 0;
  bool writable = false;
  llvm::StringRef text = options.ptxVersion;
  bool formed = text.consume_front("+ptx") && !text.getAsInteger(10, version);
  for (unsigned candidate : writablePtxVersions()) {
    writable |= candidate == version;
    if (candidate >= (*chip)->minPtx)
      known += (known.empty() ? "+ptx" : ", +ptx") + std::to_string(candidate);
  }
  if (!formed || !writable)
    return llvm::createStringError("unknown PTX version '" +
                                   options.ptxVersion + "'; " + options.chip +
                                   " takes " + known);
  if (version < (*chip)->minPtx)
    return llvm::createStringError(
        "PTX version '" + options.ptxVersion + "' is too old for " +
        options.chip + ", which needs +ptx" + std::to_string((*chip)->minPtx) +
        " or later: " + known);
  return options.ptxVersion;
}

llvm::Error kernelskill::checkTarget(const LoweringOptions &options) {
  return ptxFeature(options).takeError();
}
