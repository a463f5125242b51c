// Keeps a folder to one run, by a lock on a file in it.
#include "KernelSkill/Memory/Journal.h"

#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

/// "process 123" if the one that holds the lock has written its number.
static std::string holderOf(int descriptor) {
  char text[24] = {};
  ssize_t size = pread(descriptor, text, sizeof(text) - 1, 0);
  unsigned long process = 0;
  if (size <= 0 || StringRef(text, size).trim().getAsInteger(10, process))
    return "another process";
  return formatv("process {0}", process);
}

Expected<FolderLock> FolderLock::take(StringRef folder) {
  SmallString<128> path(folder);
  sys::path::append(path, "journal.lock");
  int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return createStringError(Twine(path) + ": cannot make the lock: " +
                             strerror(errno) + "; choose another folder");
  FolderLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB)) {
    if (errno == EWOULDBLOCK)
      return createStringError("another run is at work in " + folder + " (" +
                               holderOf(descriptor) +
                               "); wait for it, or choose another folder "
                               "with -o");
    if (errno != ENOLCK && errno != EOPNOTSUPP && errno != EINVAL)
      return createStringError(Twine(path) +
                               ": cannot lock: " + strerror(errno));
    return lock; // a file system without locks: nothing more can be done
  }
  std::string text = formatv("{0}\n", getpid());
  if (ftruncate(descriptor, 0) == 0 &&
      pwrite(descriptor, text.data(), text.size(), 0) < 0)
    errno = 0; // the number is for people; the lock holds without it
  return lock;
}

FolderLock::FolderLock(FolderLock &&other)
    : descriptor(std::exchange(other.descriptor, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor >= 0)
    close(descriptor);
}
