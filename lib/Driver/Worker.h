// The driver's side of the worker: the process that holds the device.
//
// Requests, one JSON object a line, answered by one line each with "ok":
//   hello                                       device
//   setup           oracle                      loads the judge's programs
//   judge           program, numerics           verdict
//   time            program [base] rounds       program, base, speedup,
//                                               launches
//   counters        program, metrics            launches
//   copy-bandwidth  bytes                       bytes_per_second
//   quit
// Programs are named by path. A worker that dies or does not answer in time is
// started anew and set up again; after too many deaths the run gives up.
#ifndef KERNELSKILL_LIB_DRIVER_WORKER_H
#define KERNELSKILL_LIB_DRIVER_WORKER_H

#include "ChildProcess.h"
#include "KernelSkill/Runtime/Device.h"
#include "KernelSkill/Verify/Verdict.h"

namespace kernelskill {

/// The worker died or hung over one request; the next request starts another.
class WorkerLost : public llvm::ErrorInfo<WorkerLost> {
public:
  static char ID;
  WorkerLost(bool hang, std::string message)
      : hang(hang), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  bool hang;
  std::string message;
};

/// Times of a candidate; base and speedup when it was timed against a base.
struct WorkerTimes {
  Interval program, base, speedup;
  std::string launches = ""; // of the candidate: LoadedProgram::launches
};

/// Whether the driver sees a GPU.
bool hasGpu();

class Worker {
public:
  /// Starts the process (the executable's command `worker`) and asks what the
  /// device is. `folder` takes its log.
  /// A device that can't be used is an error with exit code NoDevice.
  static llvm::Expected<Worker>
  start(llvm::StringRef device, llvm::StringRef folder,
        std::string executable = thisExecutable());

  const DeviceProperties &device() const { return properties; }
  bool onCpu() const { return properties.kind == "cpu"; }
  /// "cpu" or "cuda:N".
  llvm::StringRef deviceName() const { return name; }

  /// Loads the judge's programs from a folder; remembered for restarts.
  llvm::Error setup(llvm::StringRef oracleFolder);
  /// A worker lost over a candidate becomes a crash or hang verdict.
  llvm::Expected<Verdict> judge(llvm::StringRef program,
                                llvm::StringRef numerics, double seconds);
  llvm::Expected<WorkerTimes> time(llvm::StringRef program,
                                   llvm::StringRef base, unsigned rounds,
                                   double budgetSeconds, double runSeconds);
  /// What a timing may take: besides its budget, eight runs (an untimed one and
  /// three of each program) as long as a run may be, and the preparation.
  static double timeDeadline(double budgetSeconds, double runSeconds);
  /// One map for each launch.
  llvm::Expected<std::vector<std::map<std::string, double>>>
  counters(llvm::StringRef program, llvm::ArrayRef<std::string> metrics);
  llvm::Expected<double> copyBandwidth(uint64_t bytes);

  unsigned restarts() const { return deaths; }
  /// Seconds spent waiting while other runs used the GPU.
  double waitedSeconds() const { return waited; }

private:
  Worker() = default;
  llvm::Error launch();
  llvm::Error restart();
  llvm::Expected<llvm::json::Object> ask(llvm::json::Object request,
                                         double seconds);
  llvm::Expected<llvm::json::Object> exchange(llvm::json::Object request,
                                              double seconds);
  std::optional<ChildProcess> process;
  DeviceProperties properties;
  std::string name, log, oracle, executable;
  uint64_t logStart = 0; // of the running process
  unsigned deaths = 0;
  double waited = 0;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_WORKER_H
