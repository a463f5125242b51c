// Talks to the worker and replaces it when it is lost; see the header.
#include "Worker.h"
#include "DeviceTurn.h"
#include "DriverError.h"
#include "OutputFile.h"

using namespace llvm;
using namespace kernelskill;

char WorkerLost::ID;

/// Deaths after which the device, not the candidates, is to blame.
static constexpr unsigned maxDeaths = 8;
static constexpr unsigned setupAttempts = 3;
static constexpr double startSeconds = 60, setupSeconds = 120;
/// Loading two programs and drawing their arguments.
static constexpr double prepareSeconds = 60;

bool kernelskill::hasGpu() {
  Expected<unsigned> count = countCudaDevices();
  if (count)
    return *count > 0;
  consumeError(count.takeError());
  return false;
}

static Clock::time_point deadlineIn(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(seconds));
}

Expected<Worker> Worker::start(StringRef device, StringRef folder,
                               std::string executable) {
  Worker worker;
  worker.executable = std::move(executable);
  worker.name = device.str();
  worker.log = joinPath(folder, "worker.log");
  if (Error error = worker.launch())
    return std::move(error);
  return worker;
}

Error Worker::launch() {
  // What the workers of before said stays in the log.
  logStart = 0;
  if (deaths > 0)
    (void)sys::fs::file_size(log, logStart);
  Expected<ChildProcess> started =
      ChildProcess::start({executable, "worker", "--device", name},
                          ChildLimits(), log, /*pipes=*/true,
                          /*keepLog=*/deaths > 0);
  if (!started)
    return withCode(ExitCode::Internal, started.takeError());
  process = std::move(*started);
  Expected<json::Object> hello =
      exchange(json::Object{{"op", "hello"}}, startSeconds);
  if (!hello)
    return withCode(ExitCode::NoDevice, hello.takeError());
  const json::Object *found = hello->getObject("device");
  if (!found)
    return makeError(ExitCode::Internal, "the worker did not name its device");
  properties.name = found->getString("name").value_or("").str();
  properties.kind = found->getString("kind").value_or("").str();
  properties.chip = found->getString("chip").value_or("").str();
  properties.driverVersion = found->getString("driver").value_or("").str();
  properties.memoryBytes = found->getInteger("memory_bytes").value_or(0);
  properties.l2Bytes = found->getInteger("l2_bytes").value_or(0);
  properties.multiprocessors = found->getInteger("multiprocessors").value_or(0);
  properties.clockKHz = found->getInteger("clock_khz").value_or(0);
  if (name == "auto")
    name = properties.kind == "cpu" ? "cpu" : "cuda:0";
  return Error::success();
}

/// One request and its answer; a lost worker is gone afterwards.
Expected<json::Object> Worker::exchange(json::Object request, double seconds) {
  std::string line = formatv("{0}", json::Value(std::move(request)));
  bool timedOut = false;
  std::optional<std::string> text;
  if (Error error = process->send(line))
    consumeError(std::move(error)); // its death shows below, with its reason
  text = process->receiveLine(deadlineIn(seconds), timedOut);
  if (!text) {
    ChildEnd end = timedOut ? process->kill() : process->wait(deadlineIn(5));
    process.reset();
    ++deaths;
    if (timedOut)
      return make_error<WorkerLost>(
          true, formatv("the device did not answer within {0:F0} s", seconds));
    std::string said = lastLines(log, 300, logStart);
    return make_error<WorkerLost>(false, "the process that holds the device " +
                                             end.describe() +
                                             (said.empty() ? "" : ": " + said));
  }
  Expected<json::Value> value = json::parse(*text);
  if (!value)
    return value.takeError();
  json::Object *answer = value->getAsObject();
  if (!answer)
    return createStringError("the worker's answer is no object");
  if (answer->getBoolean("ok").value_or(false))
    return std::move(*answer);
  StringRef fault = answer->getString("fault").value_or("");
  std::string message =
      answer->getString("error").value_or("the worker failed").str();
  if (!fault.empty() && fault != "out of memory") {
    // After a fault the device is poisoned, and so is who holds it.
    process->kill();
    process.reset();
    ++deaths;
    return make_error<WorkerLost>(fault == faultName(FaultKind::Timeout),
                                  message);
  }
  return createStringError(message);
}

/// Starts a worker in the place of the lost one. What happens here is not the
/// fault of the candidate that comes next, so a worker that dies once more is
/// tried again, and at last the error is the device's.
Error Worker::restart() {
  for (unsigned attempt = 1;; ++attempt) {
    Error error = launch();
    if (!error && !oracle.empty())
      error = setup(oracle);
    if (!error)
      return Error::success();
    if (process) {
      process->kill();
      process.reset();
    }
    if (attempt == setupAttempts)
      return withCode(ExitCode::NoDevice,
                      createStringError("the device can't be set up again: " +
                                        toString(std::move(error))));
    consumeError(std::move(error));
  }
}

Expected<json::Object> Worker::ask(json::Object request, double seconds) {
  if (!process) {
    if (deaths > maxDeaths)
      return makeError(ExitCode::NoDevice, "the device was lost " +
                                               Twine(deaths) +
                                               " times; look at " + log +
                                               " and try 'kernelskill doctor'");
    if (Error error = restart())
      return std::move(error);
  }
  // The wait for the turn is neither the candidate's time nor the search's.
  auto begin = Clock::now();
  std::optional<DeviceTurn> turn = DeviceTurn::take(name);
  waited += secondsSince(begin);
  if (!turn)
    return makeError(ExitCode::Cut,
                     "interrupted while another run used the GPU");
  return exchange(std::move(request), seconds);
}

Error Worker::setup(StringRef oracleFolder) {
  oracle = oracleFolder.str();
  Expected<json::Object> answer =
      exchange(json::Object{{"op", "setup"}, {"oracle", oracle}}, setupSeconds);
  return answer ? Error::success() : answer.takeError();
}

Expected<Verdict> Worker::judge(StringRef program, StringRef numerics,
                                double seconds) {
  Expected<json::Object> answer = ask(json::Object{{"op", "judge"},
                                                   {"program", program},
                                                   {"numerics", numerics}},
                                      seconds);
  if (!answer) {
    Verdict verdict;
    Error rest = handleErrors(answer.takeError(), [&](const WorkerLost &lost) {
      verdict.kind = lost.hang ? VerdictKind::Hang : VerdictKind::Crash;
      verdict.cause = lost.hang ? "hang" : "crash";
      verdict.message = lost.message;
      verdict.deviceLost = true;
    });
    if (rest)
      return std::move(rest);
    return verdict;
  }
  const json::Value *value = answer->get("verdict");
  if (!value)
    return createStringError("the worker gave no verdict");
  Expected<Verdict> verdict = verdictFromJSON(*value);
  if (verdict && verdict->deviceLost && process) {
    process->kill();
    process.reset();
    ++deaths;
  }
  return verdict;
}

double Worker::timeDeadline(double budgetSeconds, double runSeconds) {
  constexpr unsigned leastRuns = 8;
  return budgetSeconds + leastRuns * runSeconds + prepareSeconds;
}

static Interval readInterval(const json::Object &answer, StringRef name) {
  Interval interval;
  if (const json::Object *object = answer.getObject(name)) {
    interval.median = object->getNumber("median").value_or(0);
    interval.low = object->getNumber("low").value_or(0);
    interval.high = object->getNumber("high").value_or(0);
  }
  return interval;
}

Expected<WorkerTimes> Worker::time(StringRef program, StringRef base,
                                   unsigned rounds, double budgetSeconds,
                                   double runSeconds) {
  json::Object request{{"op", "time"},
                       {"program", program},
                       {"rounds", rounds},
                       {"budget", budgetSeconds},
                       {"run_seconds", runSeconds}};
  if (!base.empty())
    request["base"] = base;
  Expected<json::Object> answer =
      ask(std::move(request), timeDeadline(budgetSeconds, runSeconds));
  if (!answer)
    return answer.takeError();
  return WorkerTimes{readInterval(*answer, "program"),
                     readInterval(*answer, "base"),
                     readInterval(*answer, "speedup"),
                     answer->getString("launches").value_or("").str()};
}

Expected<std::vector<std::map<std::string, double>>>
Worker::counters(StringRef program, ArrayRef<std::string> metrics) {
  json::Array names;
  for (const std::string &metric : metrics)
    names.push_back(metric);
  Expected<json::Object> answer =
      ask(json::Object{{"op", "counters"},
                       {"program", program},
                       {"metrics", std::move(names)}},
          60);
  if (!answer)
    return answer.takeError();
  std::vector<std::map<std::string, double>> result;
  if (const json::Array *launches = answer->getArray("launches"))
    for (const json::Value &launch : *launches) {
      auto &values = result.emplace_back();
      if (const json::Object *object = launch.getAsObject())
        for (const auto &[name, value] : *object)
          values[StringRef(name).str()] = value.getAsNumber().value_or(0);
    }
  return result;
}

Expected<double> Worker::copyBandwidth(uint64_t bytes) {
  Expected<json::Object> answer = ask(
      json::Object{{"op", "copy-bandwidth"}, {"bytes", int64_t(bytes)}}, 60);
  if (!answer)
    return answer.takeError();
  return answer->getNumber("bytes_per_second").value_or(0);
}
