// The command line of `kernelskill`.
#ifndef KERNELSKILL_DRIVER_COMMANDLINE_H
#define KERNELSKILL_DRIVER_COMMANDLINE_H

namespace kernelskill {
/// Parses the command line, runs the command and returns the exit code
/// (docs/cli.md). Prints one error and returns non-zero on failure.
int runCommandLine(int argc, char **argv);
} // namespace kernelskill

#endif // KERNELSKILL_DRIVER_COMMANDLINE_H
