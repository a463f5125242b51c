// Dispatches to the commands of `kernelskill`.
#include "KernelSkill/Driver/CommandLine.h"
#include "Commands.h"
#include "KernelSkill/Driver/Registration.h"

#include <csignal>

using namespace llvm;
using namespace kernelskill;

/// Runs one command; the exit code, or what is wrong.
static Expected<ExitCode> dispatch(ArrayRef<std::string> arguments,
                                   bool &json) {
  if (arguments.empty()) {
    printOverview(errs());
    return ExitCode::Usage;
  }
  StringRef first = arguments.front();
  if (first == "--version") {
    outs() << "kernelskill " << KERNELSKILL_VERSION << "\n";
    return ExitCode::Success;
  }
  if (first == "--help" || first == "-h") {
    printOverview(outs());
    return ExitCode::Success;
  }
  Expected<const Command *> command = findCommand(first);
  if (!command)
    return command.takeError();
  arguments = arguments.drop_front();
  if (is_contained(arguments, "--help") || is_contained(arguments, "-h")) {
    printHelp(**command, outs());
    return ExitCode::Success;
  }
  json = is_contained(arguments, "--json");
  Expected<Options> options = Options::parse(**command, arguments);
  if (!options)
    return options.takeError();
  return (*command)->run(*options);
}

int kernelskill::runCommandLine(int argc, char **argv) {
  // A worker that died shows as an error of the write, not as our death.
  signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  bool json = false;
  Expected<ExitCode> code = dispatch(arguments, json);
  ExitCode result = code ? *code : reportError(code.takeError(), json);
  // Not reporting this would let the stream's destructor end the process.
  outs().flush();
  if (outs().has_error()) {
    std::error_code problem = outs().error();
    outs().clear_error();
    if (problem != std::errc::broken_pipe)
      result = reportError(
          makeError(ExitCode::Input, "cannot write to the standard output: " +
                                         problem.message()),
          /*json=*/false);
  }
  errs().clear_error();
  return int(result);
}
