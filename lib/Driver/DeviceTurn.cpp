// A turn is a lock on a file in the folder for temporary files. It ends with
// the process that has it, however that ends. See the header.
#include "DeviceTurn.h"
#include "Interrupt.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

std::string DeviceTurn::lockFile(StringRef device) {
  std::string name = ("kernelskill-" + device + ".lock").str();
  std::replace(name.begin(), name.end(), ':', '-');
  SmallString<128> path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  sys::path::append(path, name);
  return std::string(path);
}

std::optional<DeviceTurn> DeviceTurn::take(StringRef device) {
  if (!device.starts_with("cuda:"))
    return DeviceTurn(-1);
  // Users share the file, whatever their umask: reading is enough for a lock.
  std::string path = lockFile(device);
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor >= 0)
      (void)fchmod(descriptor, 0644);
  }
  DeviceTurn turn(descriptor);
  while (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) &&
         errno == EWOULDBLOCK) {
    if (interrupted())
      return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return turn;
}

DeviceTurn::DeviceTurn(DeviceTurn &&other)
    : descriptor(std::exchange(other.descriptor, -1)) {}

DeviceTurn::~DeviceTurn() {
  if (descriptor >= 0)
    close(descriptor);
}
