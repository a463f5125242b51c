// Families of inputs: what each argument is drawn from.
#ifndef KERNELSKILL_LIB_VERIFY_INPUTFAMILIES_H
#define KERNELSKILL_LIB_VERIFY_INPUTFAMILIES_H

#include "SupportKernels.h"

namespace kernelskill {

/// One set of inputs: a family and a seed.
struct InputSet {
  std::string family;
  uint64_t seed = 0;
  bool operator==(const InputSet &other) const {
    return family == other.family && seed == other.seed;
  }
};

bool isKnownFamily(llvm::StringRef family);
/// What argument `buffer` is drawn from in a family.
Draw drawOf(const BufferRecord &buffer, llvm::StringRef family);
/// The seed of the argument at `position`.
uint64_t seedOf(const InputSet &inputs, size_t position);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_VERIFY_INPUTFAMILIES_H
