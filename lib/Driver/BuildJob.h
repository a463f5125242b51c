// One build as a child under limits: transforms, lowering and ptxas may crash,
// hang or eat memory, and then cost the candidate, not the run.
#ifndef KERNELSKILL_LIB_DRIVER_BUILDJOB_H
#define KERNELSKILL_LIB_DRIVER_BUILDJOB_H

#include "ChildProcess.h"
#include "DriverError.h"
#include "KernelSkill/Memory/Journal.h"

namespace kernelskill {

struct BuildSettings {
  std::string payload; // path of the copy that children read
  std::string chip, numerics = "fp32";
  std::vector<std::string> skills; // folders, for which skills match where
  bool cpu = true;                 // an image for the CPU device
  bool ptx = true;                 // PTX, and the cubin by ptxas
  std::string executable = thisExecutable(); // whose child command builds
  double seconds = 120;
  uint64_t memoryBytes = uint64_t(16) << 30;
};

/// How a build ended. `verdict` is Right when there is a program; it says
/// nothing of the program's rightness then.
struct BuildOutcome {
  Outcome verdict = Outcome::CompileError;
  ExitCode code = ExitCode::Internal; // for a command that can't go on
  std::string stage;                  // where it failed
  std::string reason;                 // one line
  bool ok() const { return verdict == Outcome::Right; }
};

class BuildJob {
public:
  /// Starts building the candidate of `recipe` (a path; empty: the seed). The
  /// child leaves program.ksp, analysis.json, kernel.ptx, kernel.cubin and
  /// recipe.mlir in `folder`, which is made.
  static llvm::Expected<BuildJob> candidate(const BuildSettings &settings,
                                            llvm::StringRef recipe,
                                            llvm::StringRef folder);
  /// Starts building the judge's programs into `folder`.
  static llvm::Expected<BuildJob> oracle(const BuildSettings &settings,
                                         llvm::StringRef folder);
  /// Waits, at most as long as the settings allow.
  BuildOutcome wait();

private:
  BuildJob(ChildProcess child, std::string folder, Clock::time_point deadline)
      : child(std::move(child)), folder(std::move(folder)), deadline(deadline) {
  }
  static llvm::Expected<BuildJob> start(llvm::StringRef command,
                                        const BuildSettings &settings,
                                        llvm::StringRef recipe,
                                        llvm::StringRef folder);
  ChildProcess child;
  std::string folder;
  Clock::time_point deadline;
};

/// An error for a command whose only build failed.
llvm::Error asError(const BuildOutcome &outcome);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_BUILDJOB_H
