// What `build`, `verify` and `explain` begin with: IN and its recipe, built by
// a child in a folder for the time of the command.
#ifndef KERNELSKILL_LIB_DRIVER_ONECANDIDATE_H
#define KERNELSKILL_LIB_DRIVER_ONECANDIDATE_H

#include "BuildJob.h"
#include "OutputFile.h"
#include "PayloadFile.h"

namespace kernelskill {

class OneCandidate {
public:
  /// Reads IN and --recipe, and builds. The chip is --chip, or the recipe's, or
  /// `otherwise`. `trySkills`: the analysis says which skills match, which
  /// takes longer than the build itself.
  static llvm::Expected<OneCandidate> build(const Options &options,
                                            llvm::StringRef otherwise,
                                            bool trySkills = false);
  /// Builds the judge's programs beside the candidate, into folder()/oracle.
  llvm::Error buildOracle() const;

  std::string folder() const { return joinPath(scratch.path(), "candidate"); }

  PayloadFile payload;
  BuildSettings settings;

private:
  explicit OneCandidate(ScratchFolder scratch) : scratch(std::move(scratch)) {}
  ScratchFolder scratch;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_ONECANDIDATE_H
