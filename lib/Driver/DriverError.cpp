// Prints failures; see the header.
#include "DriverError.h"
#include "Interrupt.h"

using namespace llvm;
using namespace kernelskill;

char DriverError::ID;

Error kernelskill::makeError(ExitCode code, const Twine &message) {
  return make_error<DriverError>(code, message.str());
}

Error kernelskill::withCode(ExitCode code, Error error) {
  return error ? makeError(code, toString(std::move(error))) : Error::success();
}

ExitCode kernelskill::reportError(Error error, bool json) {
  ExitCode code = ExitCode::Input;
  std::string message;
  handleAllErrors(
      std::move(error),
      [&](const DriverError &failure) {
        code = failure.code;
        message = failure.message;
      },
      [&](const ErrorInfoBase &other) { message = other.message(); });
  if (interrupted()) {
    // What failed did so because its children were ended.
    code = ExitCode::Cut;
    message = "interrupted";
  }
  errs() << "kernelskill: error: " << message << "\n";
  if (json)
    printJson(json::Object{{"error", json::Object{{"exit_code", int64_t(code)},
                                                  {"message", message}}}});
  return code;
}

void kernelskill::printJson(json::Object object) {
  outs() << formatv("{0:2}", json::Value(std::move(object))) << "\n";
}
