// The commands of `kernelskill`, one file each (<Name>Command.cpp).
#ifndef KERNELSKILL_LIB_DRIVER_COMMANDS_H
#define KERNELSKILL_LIB_DRIVER_COMMANDS_H

#include "Options.h"

namespace kernelskill {
llvm::Expected<ExitCode> runOptimize(const Options &options);
llvm::Expected<ExitCode> runBuild(const Options &options);
llvm::Expected<ExitCode> runProgram(const Options &options);
llvm::Expected<ExitCode> runVerify(const Options &options);
llvm::Expected<ExitCode> runExplain(const Options &options);
llvm::Expected<ExitCode> runJournal(const Options &options);
llvm::Expected<ExitCode> runDoctor(const Options &options);
llvm::Expected<ExitCode> runHelp(const Options &options);
/// What children of the driver run: the reading of a user's file, one
/// candidate's or the oracle's build, and the process that holds the device.
llvm::Expected<ExitCode> runBuildCandidate(const Options &options);
llvm::Expected<ExitCode> runBuildOracle(const Options &options);
llvm::Expected<ExitCode> runReadInput(const Options &options);
llvm::Expected<ExitCode> runWorker(const Options &options);
} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_COMMANDS_H
