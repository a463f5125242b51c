// Starts build children and reads how they ended; see the header.
#include "BuildJob.h"
#include "OutputFile.h"

#include <csignal>

using namespace llvm;
using namespace kernelskill;

Expected<BuildJob> BuildJob::start(StringRef command,
                                   const BuildSettings &settings,
                                   StringRef recipe, StringRef folder) {
  if (Error error = makeFolder(folder))
    return std::move(error);
  // What an earlier, killed child left is not this one's result.
  for (StringRef name : {"stage", "result.json", "program.ksp"})
    sys::fs::remove(joinPath(folder, name));
  std::vector<std::string> arguments{
      settings.executable, command.str(), settings.payload,  "--chip",
      settings.chip,       "--numerics",  settings.numerics, "-o",
      folder.str()};
  if (!recipe.empty())
    arguments.insert(arguments.end(), {"--recipe", recipe.str()});
  for (const std::string &skills : settings.skills)
    arguments.insert(arguments.end(), {"--skills", skills});
  if (!settings.cpu)
    arguments.push_back("--no-cpu");
  if (!settings.ptx)
    arguments.push_back("--no-ptx");
  ChildLimits limits;
  limits.memoryBytes = settings.memoryBytes;
  limits.cpuSeconds = settings.seconds;
  Expected<ChildProcess> child = ChildProcess::start(
      arguments, limits, joinPath(folder, "build.log"), /*pipes=*/false);
  if (!child)
    return withCode(ExitCode::Input, child.takeError());
  auto deadline =
      Clock::now() + std::chrono::milliseconds(int64_t(settings.seconds * 1e3));
  return BuildJob(std::move(*child), folder.str(), deadline);
}

Expected<BuildJob> BuildJob::candidate(const BuildSettings &settings,
                                       StringRef recipe, StringRef folder) {
  return start("build-candidate", settings, recipe, folder);
}

Expected<BuildJob> BuildJob::oracle(const BuildSettings &settings,
                                    StringRef folder) {
  return start("build-oracle", settings, "", folder);
}

BuildOutcome BuildJob::wait() {
  ChildEnd end = child.wait(deadline);
  BuildOutcome outcome;
  if (Expected<std::string> stage = readFile(joinPath(folder, "stage")))
    outcome.stage = StringRef(*stage).trim().str();
  else
    consumeError(stage.takeError());
  if (end.killed || end.signal) {
    bool hang = end.killed || end.signal == SIGXCPU;
    outcome.verdict = hang ? Outcome::Hang : Outcome::Crash;
    std::string said = lastLines(joinPath(folder, "build.log"));
    outcome.reason =
        "the build " + end.describe() + (said.empty() ? "" : ": " + said);
    return outcome;
  }
  Expected<std::string> text = readFile(joinPath(folder, "result.json"));
  if (!text) {
    consumeError(text.takeError());
    outcome.verdict = Outcome::Crash;
    outcome.reason = "the build " + end.describe() + ": " +
                     lastLines(joinPath(folder, "build.log"));
    return outcome;
  }
  Expected<json::Value> value = json::parse(*text);
  if (!value) {
    outcome.reason = toString(value.takeError());
    return outcome;
  }
  if (const json::Object *result = value->getAsObject()) {
    outcome.verdict = parseOutcome(result->getString("verdict").value_or(""))
                          .value_or(Outcome::Crash);
    outcome.code = ExitCode(result->getInteger("exit_code").value_or(7));
    outcome.reason = result->getString("reason").value_or("").str();
  }
  return outcome;
}

Error kernelskill::asError(const BuildOutcome &outcome) {
  if (outcome.verdict == Outcome::Crash || outcome.verdict == Outcome::Hang)
    return makeError(ExitCode::Internal,
                     "stage '" + outcome.stage + "': " + outcome.reason +
                         "; this is a defect of kernelskill");
  return makeError(outcome.code, outcome.reason);
}
