// A child process under limits: this very executable with other arguments, or
// another program. Everything that may crash or hang runs in one.
//
// A child leads a process group of its own, so that Ctrl-C reaches only the
// driver and killing it takes its own children along; it is killed when the
// driver dies.
#ifndef KERNELSKILL_LIB_DRIVER_CHILDPROCESS_H
#define KERNELSKILL_LIB_DRIVER_CHILDPROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelskill {

using Clock = std::chrono::steady_clock;
inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct ChildLimits {
  uint64_t memoryBytes = 0; // of address space; 0: none
  double cpuSeconds = 0;    // 0: none
  bool halfStack = false;   // of what this process may use
};

/// How a child ended.
struct ChildEnd {
  int exitCode = 0;    // if it exited
  int signal = 0;      // if a signal ended it
  bool killed = false; // by us: it ran past its deadline, or was not wanted
  bool ok() const { return !signal && !killed && exitCode == 0; }
  /// "exited with code 3", "died of signal 11 (Segmentation fault)", …
  std::string describe() const;
};

class ChildProcess {
public:
  /// Starts `arguments[0]`. Its stderr goes to the file `log` (made anew unless
  /// `keepLog`), its stdout there too unless `pipes`, which connects stdin and
  /// stdout to send and receiveLine.
  static llvm::Expected<ChildProcess>
  start(llvm::ArrayRef<std::string> arguments, const ChildLimits &limits,
        llvm::StringRef log, bool pipes, bool keepLog = false);
  ChildProcess(ChildProcess &&other);
  ChildProcess &operator=(ChildProcess &&other);
  ~ChildProcess();

  bool running() const { return pid > 0; }
  /// Waits until it ends or the deadline passes, when it is killed.
  ChildEnd wait(Clock::time_point deadline);
  /// Whether it has ended; `end` says how.
  bool poll(ChildEnd &end);
  ChildEnd kill();

  llvm::Error send(llvm::StringRef line);
  /// One line without its end. Nothing when the deadline passes (timedOut) or
  /// the child closed its side.
  std::optional<std::string> receiveLine(Clock::time_point deadline,
                                         bool &timedOut);

private:
  ChildProcess() = default;
  ChildEnd reap(bool killed);
  pid_t pid = -1;
  int input = -1, output = -1; // our ends: its stdin, its stdout
  std::string pending;         // received, not yet a whole line
};

/// The path of this executable, for children of it.
std::string thisExecutable();

/// The last lines of a log file, after its first `from` bytes, as one line of
/// at most `limit` characters.
std::string lastLines(llvm::StringRef path, size_t limit = 300,
                      uint64_t from = 0);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_CHILDPROCESS_H
