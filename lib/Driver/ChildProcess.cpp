// Starts, watches and ends children; see the header.
#include "ChildProcess.h"
#include "Interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

static Error systemError(const Twine &what) {
  int number = errno;
  return createStringError(std::error_code(number, std::generic_category()),
                           what + ": " + strerror(number));
}

std::string ChildEnd::describe() const {
  if (killed)
    return "was killed at its time limit";
  if (signal == SIGXCPU || signal == SIGKILL)
    return "was killed by the system (CPU time or memory)";
  if (signal)
    return formatv("died of signal {0} ({1})", signal, strsignal(signal));
  return formatv("exited with code {0}", exitCode);
}

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

static void limit(int resource, uint64_t value) {
  rlimit both{value, value};
  setrlimit(resource, &both);
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] static void become(char *const *arguments,
                                const ChildLimits &limits, int log, int input,
                                int output, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(127);
  dup2(input, 0);
  dup2(output, 1);
  dup2(log, 2);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  rlimit stack;
  if (limits.halfStack && !getrlimit(RLIMIT_STACK, &stack) &&
      stack.rlim_cur != RLIM_INFINITY) {
    stack.rlim_cur /= 2;
    setrlimit(RLIMIT_STACK, &stack);
  }
  if (limits.memoryBytes)
    limit(RLIMIT_AS, limits.memoryBytes);
  if (limits.cpuSeconds > 0)
    limit(RLIMIT_CPU, uint64_t(limits.cpuSeconds) + 1);
  execvp(arguments[0], arguments);
  static constexpr char message[] = "cannot start the program\n";
  (void)!write(2, message, sizeof(message) - 1);
  _exit(127);
}

Expected<ChildProcess> ChildProcess::start(ArrayRef<std::string> arguments,
                                           const ChildLimits &limits,
                                           StringRef log, bool pipes,
                                           bool keepLog) {
  std::vector<char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(const_cast<char *>(argument.c_str()));
  pointers.push_back(nullptr);
  int logFile =
      open(log.str().c_str(),
           O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (keepLog ? 0 : O_TRUNC),
           0666);
  if (logFile < 0)
    return systemError("cannot write " + log);
  int toChild[2] = {-1, -1}, fromChild[2] = {-1, -1};
  if (pipes ? pipe2(toChild, O_CLOEXEC) || pipe2(fromChild, O_CLOEXEC)
            : (toChild[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0) {
    Error error = systemError("cannot connect to a child process");
    for (int end : {logFile, toChild[0], toChild[1]})
      if (end >= 0)
        close(end);
    return std::move(error);
  }
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0)
    become(pointers.data(), limits, logFile, toChild[0],
           pipes ? fromChild[1] : logFile, parent);
  Error error =
      pid < 0 ? systemError("cannot start a child process") : Error::success();
  close(logFile);
  close(toChild[0]);
  if (pipes)
    close(fromChild[1]);
  ChildProcess child;
  child.pid = pid;
  child.input = toChild[1];
  child.output = fromChild[0];
  if (error)
    return std::move(error);
  setpgid(pid, pid); // whoever comes first, parent or child
  return child;
}

ChildProcess::ChildProcess(ChildProcess &&other)
    : pid(std::exchange(other.pid, -1)), input(std::exchange(other.input, -1)),
      output(std::exchange(other.output, -1)),
      pending(std::move(other.pending)) {}

ChildProcess &ChildProcess::operator=(ChildProcess &&other) {
  std::swap(pid, other.pid);
  std::swap(input, other.input);
  std::swap(output, other.output);
  std::swap(pending, other.pending);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (running())
    kill();
  if (input >= 0)
    close(input);
  if (output >= 0)
    close(output);
}

//===----------------------------------------------------------------------===//
// End
//===----------------------------------------------------------------------===//

static int millisecondsUntil(Clock::time_point deadline) {
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - Clock::now());
  return int(std::clamp<int64_t>(left.count() + 1, 0, 1000000));
}

static ChildEnd decode(int status, bool killed) {
  ChildEnd end;
  end.killed = killed;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  return end;
}

ChildEnd ChildProcess::reap(bool killed) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    ;
  pid = -1;
  return decode(status, killed);
}

bool ChildProcess::poll(ChildEnd &end) {
  int status = 0;
  pid_t ended = waitpid(pid, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR))
    return false;
  pid = -1;
  end = decode(status, false);
  return true;
}

ChildEnd ChildProcess::kill() {
  ::kill(-pid, SIGKILL);
  return reap(/*killed=*/true);
}

ChildEnd ChildProcess::wait(Clock::time_point deadline) {
  ChildEnd end;
  int handle = int(syscall(SYS_pidfd_open, pid, 0));
  while (!poll(end)) {
    int left = millisecondsUntil(deadline);
    if (left == 0 || interrupted()) {
      end = kill();
      break;
    }
    pollfd wanted{handle, POLLIN, 0};
    // Kernels without pidfd: look again after a moment.
    ::poll(&wanted, handle >= 0, handle >= 0 ? left : std::min(left, 2));
  }
  if (handle >= 0)
    close(handle);
  return end;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

Error ChildProcess::send(StringRef line) {
  std::string text = (line + "\n").str();
  for (StringRef rest = text; !rest.empty();) {
    ssize_t written = write(input, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("cannot write to a child process");
    rest = rest.drop_front(written);
  }
  return Error::success();
}

std::optional<std::string> ChildProcess::receiveLine(Clock::time_point deadline,
                                                     bool &timedOut) {
  timedOut = false;
  while (true) {
    if (size_t end = pending.find('\n'); end != std::string::npos) {
      std::string line = pending.substr(0, end);
      pending.erase(0, end + 1);
      return line;
    }
    pollfd wanted{output, POLLIN, 0};
    int ready = ::poll(&wanted, 1, millisecondsUntil(deadline));
    if (interrupted() || (ready == 0 && Clock::now() >= deadline)) {
      timedOut = true;
      return std::nullopt;
    }
    if (ready <= 0)
      continue;
    char buffer[65536];
    ssize_t count = read(output, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    pending.append(buffer, count);
  }
}

std::string kernelskill::thisExecutable() {
  return sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&kernelskill::thisExecutable));
}

std::string kernelskill::lastLines(StringRef path, size_t limit,
                                   uint64_t from) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return "";
  std::string text =
      (*buffer)
          ->getBuffer()
          .drop_front(std::min<uint64_t>(from, (*buffer)->getBufferSize()))
          .trim()
          .take_back(limit)
          .str();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}
