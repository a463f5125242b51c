// The judge's own test: wrong kernels that it must reject, right ones that it
// must accept, on a given device.
#ifndef KERNELSKILL_VERIFY_SELFTEST_H
#define KERNELSKILL_VERIFY_SELFTEST_H

#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Runtime/Device.h"
#include "KernelSkill/Verify/OraclePrograms.h"
#include "KernelSkill/Verify/Verdict.h"

namespace kernelskill {

struct SelfTestRow {
  std::string name;    // "one NaN"
  std::string program; // of which payload
  std::string exploit; // class of a wrong kernel: "NaN or infinity lost"
  bool mustBeRight = false;
  /// Of a wrong kernel: the causes of which the verdict must name one.
  std::vector<std::string> causes;
  Verdict verdict;
  bool passed() const;
};

struct SelfTestReport {
  std::vector<SelfTestRow> rows;
  /// Wrong kernels that were not run: those that only the CPU device's checks
  /// find, and those that lose the device, where it can't be had again.
  std::vector<std::string> leftOut;
  bool passed() const;
};

/// Who judges the test's kernels.
class SelfTestJudge {
public:
  virtual ~SelfTestJudge() = default;
  /// Starts on another payload.
  virtual llvm::Error setup(OraclePrograms programs) = 0;
  virtual llvm::Expected<Verdict> judge(const Program &candidate) = 0;
  /// Whether it goes on after a candidate that loses the device.
  virtual bool outlivesFaults() const = 0;
};

/// Builds the self-test's payloads and kernels, judges each, and gives the
/// table. `options` are for the judge's device; with options.cpu it is the CPU
/// device. An error means that something could not be built or run at all.
llvm::Expected<SelfTestReport> runSelfTest(SelfTestJudge &judge,
                                           const LoweringOptions &options);
/// The same, judged in this process.
llvm::Expected<SelfTestReport> runSelfTest(Device &device,
                                           const LoweringOptions &options);

/// A table for people, one row a kernel, then one a class of wrong kernels, and
/// the line "N of M wrong kernels rejected, N of M right ones accepted".
void printSelfTest(const SelfTestReport &report, llvm::raw_ostream &os);
llvm::json::Value toJSON(const SelfTestReport &report);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_SELFTEST_H
