// Writes files whole; see the header.
#include "OutputFile.h"
#include "DriverError.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

std::string kernelskill::joinPath(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  return std::string(path);
}

Expected<std::string> kernelskill::readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError(ExitCode::Input,
                     path + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

static Error failure(StringRef path, StringRef what, int number) {
  StringRef advice = number == ENOSPC || number == EDQUOT
                         ? "free some space or choose another folder with -o"
                         : "choose another folder with -o";
  return makeError(ExitCode::Input, path + ": cannot " + what + ": " +
                                        strerror(number) + "; " + advice);
}

Error kernelskill::writeFile(StringRef path, StringRef text) {
  std::string temporary = (path + ".part").str();
  int file =
      open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    return failure(path, "write", errno);
  int problem = 0;
  for (StringRef rest = text; !rest.empty() && !problem;) {
    ssize_t written = write(file, rest.data(), rest.size());
    if (written >= 0)
      rest = rest.drop_front(written);
    else if (errno != EINTR)
      problem = errno;
  }
  if (close(file) && !problem)
    problem = errno;
  if (!problem && rename(temporary.c_str(), path.str().c_str()))
    problem = errno;
  if (!problem)
    return Error::success();
  unlink(temporary.c_str());
  return failure(path, "write", problem);
}

Error kernelskill::makeFolder(StringRef path) {
  if (std::error_code error =
          sys::fs::create_directories(path, true, sys::fs::all_all))
    return failure(path, "make the folder", error.value());
  std::string probe = joinPath(path, ".kernelskill-probe");
  if (Error error = writeFile(probe, "x"))
    return error;
  unlink(probe.c_str());
  return Error::success();
}

Expected<ScratchFolder> ScratchFolder::make() {
  SmallString<128> folder;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("kernelskill", folder))
    return makeError(ExitCode::Input,
                     "cannot make a temporary folder: " + error.message() +
                         "; set TMPDIR to a folder that can be written");
  return ScratchFolder(std::string(folder));
}

ScratchFolder::~ScratchFolder() {
  if (!folder.empty())
    sys::fs::remove_directories(folder);
}
