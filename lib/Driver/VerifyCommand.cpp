// `verify IN [--recipe R]` judges one program; `verify --self-test` the judge.
#include "Commands.h"
#include "Interrupt.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Verify/SelfTest.h"
#include "OneCandidate.h"
#include "Search.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace kernelskill;

static constexpr double judgeSeconds = 3600;

namespace {

/// Judges in a worker, so that a kernel that loses the GPU ends no test.
class JudgeInWorker : public SelfTestJudge {
public:
  JudgeInWorker(StringRef device, StringRef folder)
      : device(device.str()), folder(folder.str()) {}

  Error setup(OraclePrograms programs) override {
    if (Error error = writeOracle(programs, folder))
      return error;
    worker.reset(); // its memory first
    Expected<Worker> started = Worker::start(device, folder);
    if (!started)
      return started.takeError();
    worker = std::move(*started);
    return worker->setup(folder);
  }
  Expected<Verdict> judge(const Program &candidate) override {
    std::string path = joinPath(folder, "candidate.ksp");
    if (Error error = writeProgram(candidate, path))
      return std::move(error);
    return worker->judge(path, "fp32", judgeSeconds);
  }
  bool outlivesFaults() const override { return true; }

private:
  std::string device, folder;
  std::optional<Worker> worker;
};

} // namespace

static Expected<SelfTestReport> selfTestOn(StringRef device,
                                           const LoweringOptions &lowering) {
  if (lowering.cpu) {
    Expected<std::unique_ptr<Device>> opened = openDevice(device);
    if (!opened)
      return opened.takeError();
    return runSelfTest(**opened, lowering);
  }
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch)
    return scratch.takeError();
  JudgeInWorker judge(device, scratch->path());
  return runSelfTest(judge, lowering);
}

static Expected<ExitCode> selfTest(const Options &options) {
  if (!options.operand.empty())
    return makeError(ExitCode::Usage, "--self-test takes no operand, found '" +
                                          options.operand + "'");
  registerPasses();
  std::string name = options.get("--device", "auto");
  if (name == "auto")
    name = hasGpu() ? "cuda:0" : "cpu";
  Expected<std::unique_ptr<Device>> device = openDevice(name);
  if (!device)
    return withCode(ExitCode::NoDevice, device.takeError());
  LoweringOptions lowering;
  lowering.chip = options.get("--chip", defaultChip((*device)->properties()));
  if (Error error = checkTarget(lowering))
    return withCode(ExitCode::Input, std::move(error));
  lowering.cpu = name == "cpu";
  lowering.ptx = lowering.cubin = !lowering.cpu;
  device->reset(); // who judges opens it
  Expected<SelfTestReport> report = selfTestOn(name, lowering);
  if (!report)
    return withCode(ExitCode::Internal, report.takeError());
  if (options.json())
    printJson(json::Object{{"self_test", toJSON(*report)},
                           {"passed", report->passed()}});
  else
    printSelfTest(*report, outs());
  return report->passed() ? ExitCode::Success : ExitCode::Wrong;
}

Expected<ExitCode> kernelskill::runVerify(const Options &options) {
  if (options.has("--self-test"))
    return selfTest(options);
  if (options.operand.empty())
    return makeError(ExitCode::Usage, "'verify' needs IN or --self-test; see "
                                      "'kernelskill help verify'");
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch)
    return scratch.takeError();
  Expected<Worker> worker =
      Worker::start(options.get("--device", "auto"), scratch->path());
  if (!worker)
    return worker.takeError();
  Expected<OneCandidate> candidate =
      OneCandidate::build(options, defaultChip(worker->device()));
  if (!candidate)
    return candidate.takeError();
  if (Error error = candidate->buildOracle())
    return std::move(error);
  if (Error error = worker->setup(joinPath(candidate->folder(), "oracle")))
    return withCode(ExitCode::Internal, std::move(error));
  Expected<Verdict> verdict =
      worker->judge(joinPath(candidate->folder(), "program.ksp"),
                    candidate->settings.numerics, judgeSeconds);
  // What the worker then seems to have done is no verdict.
  if (interrupted()) {
    if (!verdict)
      consumeError(verdict.takeError());
    return makeError(ExitCode::Cut, "interrupted before there was a verdict");
  }
  if (!verdict)
    return withCode(ExitCode::Internal, verdict.takeError());
  if (options.json()) {
    printJson(json::Object{{"verdict", toJSON(*verdict)},
                           {"device", worker->device().name},
                           {"chip", candidate->settings.chip}});
  } else {
    outs() << verdictName(verdict->kind)
           << (verdict->message.empty() ? "" : ": ") << verdict->message
           << "\n";
    bool asDrawn = all_of(verdict->measures, [](const MeasureRecord &measure) {
      return measure.vacuous || measure.family != "drawn";
    });
    if (!verdict->measures.empty() && (verdict->vacuous || asDrawn))
      outs() << formatv("note: {0}the reference is constant, or less than what "
                        "plain fp32 errs by, so this says little\n",
                        verdict->vacuous ? "" : "for inputs as drawn ");
    if (!verdict->leftOut.empty())
      outs() << "note: not judged on the inputs "
             << join(verdict->leftOut, ", ")
             << ", since the oracle takes too long on this device\n";
    for (const MeasureRecord &measure : verdict->measures)
      outs() << formatv("  {0,-9} seed {1} output {2}: normwise {3:F2} of "
                        "{4:F2}, componentwise {5:F2} of {6:F2} roundoffs{7}\n",
                        measure.family, measure.seed, measure.output,
                        measure.normwise, measure.normwiseBound,
                        measure.componentwise, measure.componentwiseBound,
                        measure.vacuous ? ", constant reference" : "");
  }
  return verdict->right() ? ExitCode::Success : ExitCode::Wrong;
}
