// `doctor`: what of this machine can be used, and what to do about the rest.
#include "Commands.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "OutputFile.h"
#include "PayloadFile.h"
#include "Search.h"

using namespace llvm;
using namespace kernelskill;

namespace {
struct Finding {
  StringRef what;
  bool found;
  std::string text; // what was found, or what to do
};
} // namespace

static Finding fromExpected(StringRef what, Expected<std::string> value) {
  if (value)
    return {what, true, *value};
  return {what, false, toString(value.takeError())};
}

static Finding describeImporter() {
  Expected<std::vector<std::string>> command = importerCommand();
  if (command)
    return {"importer", true, join(*command, " ")};
  return {"importer", false, toString(command.takeError())};
}

/// Builds a small kernel for this GPU and asks for one counter of it.
static Expected<std::string> probeCounters(Worker &worker, StringRef folder) {
  static constexpr StringLiteral payload =
      "func.func @probe(%x: tensor<65536xf32>) -> tensor<65536xf32> {\n"
      "  %e = tensor.empty() : tensor<65536xf32>\n"
      "  %r = linalg.exp ins(%x : tensor<65536xf32>) "
      "outs(%e : tensor<65536xf32>) -> tensor<65536xf32>\n"
      "  return %r : tensor<65536xf32>\n"
      "}\n";
  BuildSettings settings;
  settings.payload = joinPath(folder, "probe.mlir");
  settings.chip = defaultChip(worker.device());
  settings.cpu = false;
  if (Error error = writeFile(settings.payload, payload))
    return std::move(error);
  std::string built = joinPath(folder, "probe");
  Expected<BuildJob> job = BuildJob::candidate(settings, "", built);
  if (!job)
    return job.takeError();
  BuildOutcome outcome = job->wait();
  if (!outcome.ok())
    return asError(outcome);
  auto counters = worker.counters(joinPath(built, "program.ksp"),
                                  {"gpu__time_duration.sum"});
  if (!counters)
    return counters.takeError();
  return std::string("CUPTI reads hardware counters");
}

/// Asks a worker for each GPU, since a broken driver may take the process
/// along.
static void examineGpus(std::vector<Finding> &findings) {
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch) {
    findings.push_back({"GPU", false, toString(scratch.takeError())});
    return;
  }
  StringRef folder = scratch->path();
  for (unsigned index = 0;; ++index) {
    Expected<Worker> worker =
        Worker::start("cuda:" + std::to_string(index), folder);
    if (!worker) {
      std::string message = toString(worker.takeError());
      if (index == 0)
        findings.push_back(
            {"GPU", false,
             message + "; without one, --device cpu checks kernels and "
                       "estimates times"});
      break;
    }
    const DeviceProperties &device = worker->device();
    findings.push_back(
        {"GPU", true,
         formatv("cuda:{0} {1}, {2}, {3} multiprocessors, {4} GiB", index,
                 device.name, device.chip, device.multiprocessors,
                 device.memoryBytes >> 30)});
    if (index > 0)
      continue;
    findings.push_back({"driver", true, "CUDA " + device.driverVersion});
    findings.push_back(
        fromExpected("counters", probeCounters(*worker, folder)));
  }
}

Expected<ExitCode> kernelskill::runDoctor(const Options &options) {
  std::vector<Finding> findings;
  findings.push_back(
      {"kernelskill", true,
       std::string(KERNELSKILL_VERSION) + " at " + thisExecutable()});
  findings.push_back(fromExpected("ptxas", findPtxas()));
  findings.push_back(fromExpected("libdevice", findLibdevice()));
  findings.push_back(describeImporter());
  examineGpus(findings);
  findings.push_back({"CPU device", true, "always there"});
  if (options.json()) {
    json::Array array;
    for (const Finding &finding : findings)
      array.push_back(json::Object{{"what", finding.what},
                                   {"found", finding.found},
                                   {"text", finding.text}});
    printJson(json::Object{{"findings", std::move(array)}});
    return ExitCode::Success;
  }
  for (const Finding &finding : findings)
    outs() << (finding.found ? "ok       " : "missing  ")
           << left_justify(finding.what, 13) << finding.text << "\n";
  return ExitCode::Success;
}
