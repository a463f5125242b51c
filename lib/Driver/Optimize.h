// The loop of `kernelskill optimize`.
#ifndef KERNELSKILL_LIB_DRIVER_OPTIMIZE_H
#define KERNELSKILL_LIB_DRIVER_OPTIMIZE_H

#include "Search.h"

namespace kernelskill {
/// Runs rounds until there is a reason to stop; the journal says which. An
/// error means that nothing can be done: the seed is not right, or the device
/// is lost.
llvm::Error optimize(Search &search, llvm::ArrayRef<Trial> candidates);
} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_OPTIMIZE_H
