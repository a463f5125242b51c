// Names what is wrong with an output, from what was measured of it.
#ifndef KERNELSKILL_LIB_VERIFY_CAUSE_H
#define KERNELSKILL_LIB_VERIFY_CAUSE_H

#include "KernelSkill/Verify/Verdict.h"
#include "SupportKernels.h"

namespace kernelskill {

/// The cause of a wrong float output (see Verdict::cause). `normwise` is in
/// roundoffs.
std::string causeOf(const Comparison &comparison, double normwise);
std::string causeOf(const IntegerComparison &comparison, uint64_t elements);

/// Fills kind, cause and message of a verdict from a failed run of the
/// candidate, which it consumes.
void describeFailure(llvm::Error error, Verdict &verdict);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_VERIFY_CAUSE_H
