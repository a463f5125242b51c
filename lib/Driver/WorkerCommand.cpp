// `worker`: the process that holds the device. It reads one JSON request a line
// on stdin and answers each with one line on stdout (Worker.h lists them). A
// fault of a candidate costs this process, not the run: the driver starts it
// anew.
#include "Commands.h"
#include "KernelSkill/Verify/Judge.h"
#include "Worker.h"

#include <deque>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

namespace {
class WorkerServer {
public:
  explicit WorkerServer(std::unique_ptr<Device> device)
      : device(std::move(device)) {}

  Expected<json::Object> answer(const json::Object &request);

private:
  Expected<json::Object> setup(const json::Object &request);
  Expected<json::Object> judgeProgram(const json::Object &request);
  Expected<json::Object> timePrograms(const json::Object &request);
  Expected<json::Object> readCounters(const json::Object &request);
  Expected<json::Object> measureCopy(const json::Object &request);

  Expected<LoadedProgram *> load(StringRef path);
  Expected<json::Object>
  withMemory(function_ref<Expected<json::Object>()> work);
  Error drawArguments(const Program &program);
  void releaseArguments();

  std::unique_ptr<Device> device;
  std::unique_ptr<Judge> judge;
  /// Base and candidate of the last timing, newest first.
  std::deque<std::pair<std::string, std::unique_ptr<LoadedProgram>>> loaded;
  std::optional<Judge::Arguments> drawn;
};
} // namespace

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

static Expected<Program> readCandidate(const json::Object &request,
                                       StringRef key) {
  std::optional<StringRef> path = request.getString(key);
  if (!path)
    return createStringError("request lacks '" + key + "'");
  return readProgram(*path);
}

Expected<json::Object> WorkerServer::setup(const json::Object &request) {
  Expected<OraclePrograms> programs =
      readOracle(request.getString("oracle").value_or(""));
  if (!programs)
    return programs.takeError();
  Expected<std::unique_ptr<Judge>> created =
      Judge::create(*device, std::move(*programs));
  if (!created)
    return created.takeError();
  judge = std::move(*created);
  return json::Object{};
}

Expected<json::Object> WorkerServer::judgeProgram(const json::Object &request) {
  Expected<Program> program = readCandidate(request, "program");
  if (!program)
    return program.takeError();
  JudgeOptions options;
  options.numerics = request.getString("numerics").value_or("fp32").str();
  options.candidateSeconds =
      request.getNumber("candidate_seconds").value_or(10);
  options.oracleSeconds = request.getNumber("oracle_seconds").value_or(300);
  options.allFamilies = request.getBoolean("all_families").value_or(false);
  // What a timing keeps on the device may be what the judge lacks.
  loaded.clear();
  releaseArguments();
  Expected<Verdict> verdict = judge->judge(*program, options);
  if (!verdict)
    return verdict.takeError();
  return json::Object{{"verdict", toJSON(*verdict)}};
}

Expected<LoadedProgram *> WorkerServer::load(StringRef path) {
  for (auto it = loaded.begin(); it != loaded.end(); ++it)
    if (it->first == path) {
      auto entry = std::move(*it);
      loaded.erase(it);
      loaded.push_front(std::move(entry));
      return loaded.front().second.get();
    }
  Expected<Program> program = readProgram(path);
  if (!program)
    return program.takeError();
  Expected<std::unique_ptr<LoadedProgram>> fresh = device->load(*program);
  if (!fresh)
    return fresh.takeError();
  if (loaded.size() >= 2)
    loaded.pop_back();
  loaded.emplace_front(path.str(), std::move(*fresh));
  return loaded.front().second.get();
}

void WorkerServer::releaseArguments() {
  if (!drawn)
    return;
  for (DeviceAddress address : drawn->arguments)
    device->release(address);
  for (DeviceAddress address : drawn->results)
    device->release(address);
  drawn.reset();
}

Error WorkerServer::drawArguments(const Program &program) {
  if (drawn)
    return Error::success();
  if (judge) {
    Expected<Judge::Arguments> arguments = judge->draw(program, "drawn", 1);
    if (!arguments)
      return arguments.takeError();
    drawn = std::move(*arguments);
    return Error::success();
  }
  // Without a judge (see `doctor`) any values do.
  drawn.emplace();
  for (BufferKind kind : {BufferKind::Argument, BufferKind::Result})
    for (uint32_t index : program.buffersOf(kind)) {
      uint64_t bytes = program.buffers[index].bytes();
      Expected<DeviceAddress> address = device->allocate(bytes);
      if (!address)
        return address.takeError();
      (kind == BufferKind::Argument ? drawn->arguments : drawn->results)
          .push_back(*address);
      if (Error error = device->fill(*address, 0, bytes))
        return error;
    }
  return Error::success();
}

static json::Object toJson(const Interval &interval) {
  return json::Object{{"median", interval.median},
                      {"low", interval.low},
                      {"high", interval.high}};
}

/// Times "program", and "base" too if the request names one: interleaved.
Expected<json::Object> WorkerServer::timePrograms(const json::Object &request) {
  std::string path = request.getString("program").value_or("").str();
  std::string basePath = request.getString("base").value_or("").str();
  Expected<LoadedProgram *> program = load(path);
  if (!program)
    return program.takeError();
  LoadedProgram *base = nullptr;
  if (!basePath.empty()) {
    Expected<LoadedProgram *> loadedBase = load(basePath);
    if (!loadedBase)
      return loadedBase.takeError();
    base = *loadedBase;
  }
  if (Error error = drawArguments((*program)->program()))
    return std::move(error);
  SmallVector<Device::TimedRun> runs{
      {*program, drawn->arguments, drawn->results}};
  if (base)
    runs.push_back({base, drawn->arguments, drawn->results});
  device->setTimeLimit(request.getNumber("run_seconds").value_or(10));
  Expected<std::vector<TimeSample>> samples =
      device->time(runs, request.getInteger("rounds").value_or(20),
                   request.getNumber("budget").value_or(1));
  if (!samples)
    return samples.takeError();
  json::Object answer{
      {"program", toJson(medianInterval((*samples)[0].milliseconds))},
      {"samples", int64_t((*samples)[0].milliseconds.size())},
      {"launches", (*program)->launches()}};
  if (base) {
    answer["base"] = toJson(medianInterval((*samples)[1].milliseconds));
    answer["speedup"] = toJson(
        ratioInterval((*samples)[1].milliseconds, (*samples)[0].milliseconds));
  }
  return answer;
}

Expected<json::Object> WorkerServer::readCounters(const json::Object &request) {
  Expected<LoadedProgram *> program =
      load(request.getString("program").value_or(""));
  if (!program)
    return program.takeError();
  if (Error error = drawArguments((*program)->program()))
    return std::move(error);
  std::vector<std::string> metrics;
  if (const json::Array *names = request.getArray("metrics"))
    for (const json::Value &name : *names)
      metrics.push_back(name.getAsString().value_or("").str());
  auto counters =
      device->counters({*program, drawn->arguments, drawn->results}, metrics);
  if (!counters)
    return counters.takeError();
  json::Array launches;
  for (const std::map<std::string, double> &launch : *counters) {
    json::Object values;
    for (const auto &[name, value] : launch)
      values[name] = value;
    launches.push_back(std::move(values));
  }
  return json::Object{{"launches", std::move(launches)}};
}

Expected<json::Object> WorkerServer::measureCopy(const json::Object &request) {
  Expected<double> bandwidth =
      device->copyBandwidth(request.getInteger("bytes").value_or(1 << 28));
  if (!bandwidth)
    return bandwidth.takeError();
  return json::Object{{"bytes_per_second", *bandwidth}};
}

/// Does the work, and once more without what the judge keeps if memory is
/// short.
Expected<json::Object>
WorkerServer::withMemory(function_ref<Expected<json::Object>()> work) {
  Expected<json::Object> answer = work();
  if (answer || !judge)
    return answer;
  bool shortOfMemory = false;
  Error rest = handleErrors(
      answer.takeError(), [&](std::unique_ptr<DeviceFault> fault) -> Error {
        shortOfMemory = fault->kind == FaultKind::OutOfMemory;
        return Error(std::move(fault));
      });
  if (!shortOfMemory)
    return std::move(rest);
  consumeError(std::move(rest));
  loaded.clear();
  releaseArguments();
  judge->dropReferences();
  return work();
}

static json::Object describe(const DeviceProperties &properties) {
  return json::Object{{"name", properties.name},
                      {"kind", properties.kind},
                      {"chip", properties.chip},
                      {"driver", properties.driverVersion},
                      {"memory_bytes", int64_t(properties.memoryBytes)},
                      {"l2_bytes", int64_t(properties.l2Bytes)},
                      {"multiprocessors", int64_t(properties.multiprocessors)},
                      {"clock_khz", int64_t(properties.clockKHz)}};
}

Expected<json::Object> WorkerServer::answer(const json::Object &request) {
  StringRef op = request.getString("op").value_or("");
  if (op == "hello")
    return json::Object{{"device", describe(device->properties())}};
  if (op == "setup")
    return setup(request);
  if (op == "copy-bandwidth")
    return measureCopy(request);
  if (op == "judge")
    return judge ? judgeProgram(request)
                 : createStringError("'judge' before 'setup'");
  if (op == "time")
    return withMemory([&] { return timePrograms(request); });
  if (op == "counters")
    return withMemory([&] { return readCounters(request); });
  return createStringError("unknown request '" + op + "'");
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The error as an answer; `fault` names a device fault.
static json::Object describeError(Error error) {
  json::Object answer{{"ok", false}};
  handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        answer["error"] = fault.message;
        answer["fault"] = faultName(fault.kind);
      },
      [&](const ErrorInfoBase &other) { answer["error"] = other.message(); });
  return answer;
}

static void sendAnswer(int descriptor, json::Object answer) {
  std::string line = formatv("{0}\n", json::Value(std::move(answer)));
  for (StringRef rest = line; !rest.empty();) {
    ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written <= 0)
      return;
    rest = rest.drop_front(written);
  }
}

Expected<ExitCode> kernelskill::runWorker(const Options &options) {
  // Answers go to the pipe; whatever a library prints goes to the log.
  int pipe = dup(1);
  dup2(2, 1);
  // "auto" is the first GPU, or the CPU where there is none.
  std::string name = options.get("--device", "auto");
  if (name == "auto")
    name = hasGpu() ? "cuda:0" : "cpu";
  Expected<std::unique_ptr<Device>> device = openDevice(name);
  if (!device) {
    sendAnswer(pipe, describeError(device.takeError()));
    return ExitCode::NoDevice;
  }
  WorkerServer server(std::move(*device));
  std::string line;
  for (int c; (c = getchar()) != EOF;) {
    if (c != '\n') {
      line += char(c);
      continue;
    }
    Expected<json::Value> request = json::parse(line);
    line.clear();
    const json::Object *object = request ? request->getAsObject() : nullptr;
    if (!request)
      consumeError(request.takeError());
    if (object && object->getString("op") == StringRef("quit"))
      break;
    Expected<json::Object> answer =
        object ? server.answer(*object)
               : createStringError("request is no JSON object");
    if (!answer) {
      sendAnswer(pipe, describeError(answer.takeError()));
      continue;
    }
    (*answer)["ok"] = true;
    sendAnswer(pipe, std::move(*answer));
  }
  return ExitCode::Success;
}
