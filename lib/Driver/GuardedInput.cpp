// Starts the children that read users' files; see the header.
#include "GuardedInput.h"
#include "ChildProcess.h"
#include "OutputFile.h"

using namespace llvm;
using namespace kernelskill;

static constexpr double readSeconds = 300;
static constexpr uint64_t readBytes = uint64_t(32) << 30;

/// Runs `read-input` and takes its result.json.
static Expected<json::Object> readGuarded(StringRef kind, StringRef path,
                                          StringRef name, StringRef folder,
                                          ArrayRef<std::string> more) {
  std::string result = joinPath(folder, "read.json");
  sys::fs::remove(result);
  std::vector<std::string> command{
      thisExecutable(), "read-input", path.str(), "--as",      kind.str(),
      "--name",         name.str(),   "-o",       folder.str()};
  command.insert(command.end(), more.begin(), more.end());
  ChildLimits limits;
  limits.memoryBytes = readBytes;
  limits.cpuSeconds = readSeconds;
  limits.halfStack = true;
  std::string log = joinPath(folder, "read.log");
  Expected<ChildProcess> child =
      ChildProcess::start(command, limits, log, /*pipes=*/false);
  if (!child)
    return withCode(ExitCode::Internal, child.takeError());
  ChildEnd end =
      child->wait(Clock::now() + std::chrono::seconds(int(readSeconds)));
  Expected<std::string> text = readFile(result);
  if (!text) {
    consumeError(text.takeError());
    return makeError(ExitCode::Input,
                     name + ": can't be read: the process that parsed it " +
                         end.describe() +
                         "; is it nested very deeply, or very large?");
  }
  Expected<json::Value> value = json::parse(*text);
  if (!value || !value->getAsObject())
    return value ? makeError(ExitCode::Internal, "read.json is no object")
                 : withCode(ExitCode::Internal, value.takeError());
  json::Object &object = *value->getAsObject();
  if (int64_t code = object.getInteger("exit_code").value_or(0))
    return makeError(ExitCode(code),
                     object.getString("message").value_or("is no input"));
  return std::move(object);
}

Expected<ReadPayload> kernelskill::readPayloadGuarded(StringRef path,
                                                      StringRef name,
                                                      StringRef folder) {
  Expected<json::Object> result =
      readGuarded("payload", path, name, folder, {});
  if (!result)
    return result.takeError();
  return ReadPayload{result->getString("hash").value_or("").str()};
}

static Error check(StringRef kind, StringRef path,
                   ArrayRef<std::string> more = {}) {
  Expected<ScratchFolder> scratch = ScratchFolder::make();
  if (!scratch)
    return scratch.takeError();
  Expected<json::Object> result =
      readGuarded(kind, path, path, scratch->path(), more);
  return result ? Error::success() : result.takeError();
}

Error kernelskill::checkRecipeGuarded(StringRef path) {
  return check("recipe", path);
}

Error kernelskill::checkSkillsGuarded(ArrayRef<std::string> folders) {
  std::vector<std::string> more;
  for (const std::string &folder : folders)
    more.insert(more.end(), {"--skills", folder});
  return check("skills", folders.front(), more);
}
