// Dispatches to the subcommands of `kernelskill`.
#include "KernelSkill/Driver/CommandLine.h"
#include "KernelSkill/Driver/Registration.h"

int kernelskill::runCommandLine(int argc, char **argv) {
  if (argc == 2 && llvm::StringRef(argv[1]) == "--version") {
    llvm::outs() << "kernelskill " << KERNELSKILL_VERSION << "\n";
    return 0;
  }
  llvm::errs()
      << "kernelskill: usage: kernelskill COMMAND …; see 'kernelskill help'\n";
  return 2;
}
