// The judge's own test: wrong kernels that it must reject, right ones that it
// must accept, on a given device.
#ifndef KERNELSKILL_VERIFY_SELFTEST_H
#define KERNELSKILL_VERIFY_SELFTEST_H

#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Runtime/Device.h"
#include "KernelSkill/Verify/Verdict.h"

namespace kernelskill {

struct SelfTestRow {
  std::string name;    // "one NaN"
  std::string program; // of which payload
  bool mustBeRight = false;
  /// Of a wrong kernel: the causes of which the verdict must name one.
  std::vector<std::string> causes;
  Verdict verdict;
  bool passed() const;
};

struct SelfTestReport {
  std::vector<SelfTestRow> rows;
  bool passed() const;
};

/// Builds the self-test's payloads and kernels, judges each, and gives the
/// table. An error means that something could not be built or run at all.
llvm::Expected<SelfTestReport> runSelfTest(Device &device,
                                           const LoweringOptions &options);

/// A table for people, one row a kernel, and a last line "N of M as expected".
void printSelfTest(const SelfTestReport &report, llvm::raw_ostream &os);
llvm::json::Value toJSON(const SelfTestReport &report);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_SELFTEST_H
