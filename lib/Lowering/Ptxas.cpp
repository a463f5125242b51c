// Runs ptxas in a child process under a time limit and reads what it reports.
#include "BackEnd.h"

#include "KernelSkill/Lowering/Lowering.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace kernelskill;

/// A temporary file that goes away with the object.
namespace {
class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef suffix) {
    ScratchFile file;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile(
            "kernelskill", suffix, file.path))
      return llvm::createStringError(
          error, "cannot create a temporary file: " + error.message() +
                     "; set TMPDIR to a folder with space");
    return std::move(file);
  }
  ScratchFile(ScratchFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~ScratchFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  llvm::StringRef name() const { return path; }
  llvm::Expected<std::string> read() const {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
        llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return llvm::createStringError("cannot read '" + path.str() +
                                     "': " + buffer.getError().message());
    return (*buffer)->getBuffer().str();
  }

private:
  ScratchFile() = default;
  llvm::SmallString<128> path;
};
} // namespace

/// The number that `pattern` captures in `line`, or 0.
static unsigned readNumber(llvm::StringRef line, llvm::StringRef pattern) {
  llvm::SmallVector<llvm::StringRef> matches;
  unsigned number = 0;
  if (llvm::Regex(pattern).match(line, &matches))
    (void)matches[1].getAsInteger(10, number);
  return number;
}

/// Reads `ptxas -v`: "Compiling entry function 'k'", then a line of the stack
/// and spills, then one of registers and shared memory.
static void readReport(llvm::StringRef report, AssembledModule &result) {
  AssembledKernel *kernel = nullptr;
  for (llvm::StringRef line : llvm::split(report, '\n')) {
    llvm::SmallVector<llvm::StringRef> matches;
    if (llvm::Regex("entry function '([^']+)'").match(line, &matches))
      kernel = &result.kernels[matches[1].str()];
    if (!kernel)
      continue;
    if (unsigned registers = readNumber(line, "Used ([0-9]+) registers"))
      kernel->registers = registers;
    kernel->spillBytes += readNumber(line, "([0-9]+) bytes spill stores");
    if (unsigned shared = readNumber(line, "([0-9]+) bytes smem"))
      kernel->staticShared = shared;
  }
}

/// ptxas' first error, or its first C75xx warning: those say that it gave up
/// the asynchrony of tensor-core products or split them, which is as bad.
static llvm::StringRef firstComplaint(llvm::StringRef report) {
  for (llvm::StringRef line : llvm::split(report, '\n'))
    if (line.contains("fatal") || line.contains("error") ||
        llvm::Regex("C75[0-9][0-9]").match(line))
      return line.trim();
  return "";
}

llvm::Expected<AssembledModule>
kernelskill::assemble(llvm::StringRef ptx, const LoweringOptions &options) {
  std::string ptxas = options.ptxas;
  if (ptxas.empty()) {
    llvm::Expected<std::string> found = findPtxas();
    if (!found)
      return found.takeError();
    ptxas = *found;
  }
  llvm::Expected<ScratchFile> input = ScratchFile::create("ptx");
  if (!input)
    return input.takeError();
  llvm::Expected<ScratchFile> output = ScratchFile::create("cubin");
  if (!output)
    return output.takeError();
  llvm::Expected<ScratchFile> log = ScratchFile::create("log");
  if (!log)
    return log.takeError();
  std::error_code error;
  {
    llvm::raw_fd_ostream stream(input->name(), error);
    stream << ptx;
    stream.close();
    if (stream.has_error()) {
      error = stream.error();
      stream.clear_error();
    }
  }
  if (error)
    return llvm::createStringError("cannot write '" + input->name() +
                                   "': " + error.message());

  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""),
                                                log->name(), log->name()};
  std::string message;
  unsigned seconds = std::max(1.0, std::ceil(options.ptxasSeconds));
  llvm::SmallVector<llvm::StringRef> arguments{
      ptxas,
      "-O3",
      options.manyKernels ? "--split-compile=0" : "-v",
      "--gpu-name",
      options.chip,
      "-o",
      output->name(),
      input->name()};
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, seconds, 0, &message);
  llvm::Expected<std::string> report = log->read();
  if (!report)
    return report.takeError();
  llvm::StringRef complaint = firstComplaint(*report);
  if (status == -2)
    return llvm::createStringError("ptxas ('" + ptxas +
                                   "') was stopped: " + message + " (limit " +
                                   llvm::Twine(seconds) + " s)");
  if (status != 0)
    return llvm::createStringError(
        "ptxas ('" + ptxas + "') failed with exit code " + llvm::Twine(status) +
        ": " +
        (complaint.empty() ? message.empty() ? "no message" : message
                           : complaint.str()));
  if (!complaint.empty())
    return llvm::createStringError("ptxas warns: " + complaint);
  AssembledModule result;
  readReport(*report, result);
  llvm::Expected<std::string> cubin = output->read();
  if (!cubin)
    return cubin.takeError();
  result.cubin = std::move(*cubin);
  return result;
}
