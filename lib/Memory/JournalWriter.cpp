// Appends lines to a journal, each on the disk before the call returns.
#include "KernelSkill/Memory/Journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

static Error systemError(StringRef path, StringRef what) {
  int number = errno;
  return createStringError(std::error_code(number, std::generic_category()),
                           path + ": cannot " + what + ": " + strerror(number));
}

Expected<JournalWriter> JournalWriter::create(StringRef path,
                                              const JournalHeader &header) {
  int descriptor =
      open(path.str().c_str(),
           O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError(path, "make the journal");
  JournalWriter writer(descriptor, path.str());
  if (Error error = writer.append(toJson(header)))
    return std::move(error);
  return writer;
}

Expected<JournalWriter> JournalWriter::resume(StringRef path,
                                              const JournalContents &contents) {
  int descriptor =
      open(path.str().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return systemError(path, "go on with the journal");
  JournalWriter writer(descriptor, path.str());
  if (contents.droppedLastLine && ftruncate(descriptor, contents.validBytes))
    return systemError(path, "drop the cut last line");
  return writer;
}

JournalWriter::JournalWriter(JournalWriter &&other)
    : descriptor(std::exchange(other.descriptor, -1)),
      path(std::move(other.path)) {}

JournalWriter::~JournalWriter() {
  if (descriptor >= 0)
    close(descriptor);
}

Error JournalWriter::append(json::Object record, double spentSeconds) {
  record["spent_seconds"] = spentSeconds;
  std::string line = formatv("{0}", json::Value(std::move(record)));
  line += '\n';
  for (StringRef rest = line; !rest.empty();) {
    ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError(path, "write");
    rest = rest.drop_front(written);
  }
  if (fsync(descriptor) && errno != EINVAL && errno != EROFS)
    return systemError(path, "flush");
  return Error::success();
}
