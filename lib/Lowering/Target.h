// The NVPTX back end: its target, and the checked PTX version.
#ifndef KERNELSKILL_LIB_LOWERING_TARGET_H
#define KERNELSKILL_LIB_LOWERING_TARGET_H

#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Target;
}

namespace kernelskill {
struct LoweringOptions;

/// Null when LLVM was built without NVPTX.
const llvm::Target *nvptxTarget();

/// The PTX version as a feature of the back end ("+ptx80"): the one asked for
/// or the chip's least. An error lists what is known.
llvm::Expected<std::string> ptxFeature(const LoweringOptions &options);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_LOWERING_TARGET_H
