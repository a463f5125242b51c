// The command line as a table: commands, their options, and what was given.
#ifndef KERNELSKILL_LIB_DRIVER_OPTIONS_H
#define KERNELSKILL_LIB_DRIVER_OPTIONS_H

#include "DriverError.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace kernelskill {

struct OptionSpec {
  llvm::StringLiteral name;  // "--chip", "-o"
  llvm::StringLiteral value; // "CHIP"; empty for a flag
  llvm::StringLiteral help;
  bool list = false; // may be given more than once, and with several values
};

class Options;

struct Command {
  llvm::StringLiteral name;
  llvm::StringLiteral operand; // "IN"; empty if it takes none
  bool operandNeeded;
  llvm::StringLiteral summary; // one line
  llvm::StringLiteral details; // paragraphs for `help COMMAND`
  llvm::ArrayRef<OptionSpec> options;
  llvm::Expected<ExitCode> (*run)(const Options &options);
  bool hidden = false;
};

/// What the command line gave to one command.
class Options {
public:
  /// Parses the arguments after the command's name. Values are given as
  /// `--name VALUE` or `--name=VALUE`. An option that is a list takes all that
  /// follows it once the operand was given, and one value before that.
  static llvm::Expected<Options> parse(const Command &command,
                                       llvm::ArrayRef<std::string> arguments);

  bool has(llvm::StringRef name) const { return values.count(name.str()); }
  /// The value, or `otherwise` when the option was not given.
  std::string get(llvm::StringRef name, llvm::StringRef otherwise = "") const;
  std::vector<std::string> all(llvm::StringRef name) const;
  /// A number of at least `least`, or a usage error.
  llvm::Expected<unsigned> number(llvm::StringRef name, unsigned otherwise,
                                  unsigned least) const;
  /// Seconds, more than zero, or a usage error.
  llvm::Expected<double> seconds(llvm::StringRef name, double otherwise) const;
  bool json() const { return has("--json"); }

  std::string operand;
  const Command *command = nullptr;

private:
  std::map<std::string, std::vector<std::string>> values;
};

/// All commands, hidden ones too, in the order of `help`.
llvm::ArrayRef<Command> allCommands();
/// The command of that name, or a usage error that suggests the nearest.
llvm::Expected<const Command *> findCommand(llvm::StringRef name);
/// The text of `help COMMAND` and of `help`.
void printHelp(const Command &command, llvm::raw_ostream &os);
void printOverview(llvm::raw_ostream &os);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_OPTIONS_H
