// Failures of the command line: an exit code (docs/cli.md) and one line that
// says what is wrong, where, and what to do.
#ifndef KERNELSKILL_LIB_DRIVER_DRIVERERROR_H
#define KERNELSKILL_LIB_DRIVER_DRIVERERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace kernelskill {

enum class ExitCode : int {
  Success = 0,
  Input = 1,    // payload, recipe, program, journal, .npy or folder
  Usage = 2,    // the command line itself
  Wrong = 3,    // a program was judged and is not right
  NoDevice = 4, // the device that was asked for can't be used
  Cut = 5,      // Ctrl-C, or the budget ended before anything was right
  Tool = 6,    // ptxas, libdevice or the importer's Python is missing or failed
  Internal = 7 // a defect of kernelskill itself
};

class DriverError : public llvm::ErrorInfo<DriverError> {
public:
  static char ID;
  DriverError(ExitCode code, std::string message)
      : code(code), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  ExitCode code;
  std::string message;
};

llvm::Error makeError(ExitCode code, const llvm::Twine &message);
/// Gives an error of another room an exit code; its text stays.
llvm::Error withCode(ExitCode code, llvm::Error error);

/// Prints the error, as one line on stderr and, when `json`, as an object on
/// stdout, and returns its exit code.
ExitCode reportError(llvm::Error error, bool json);

/// Prints one JSON object, indented, and a line end.
void printJson(llvm::json::Object object);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_DRIVERERROR_H
