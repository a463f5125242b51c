// The worker's loss costs the request, not the run: it is started anew and set
// up again. A shell script stands in the place of the worker.
#include "../../lib/Driver/Worker.h"
#include "../../lib/Driver/DeviceTurn.h"
#include "../../lib/Driver/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

namespace {
class WorkerTest : public testing::Test {
protected:
  void SetUp() override {
    auto made = ScratchFolder::make();
    ASSERT_TRUE(bool(made));
    scratch.emplace(std::move(*made));
  }
  /// A worker that answers hello and setup, and to all else runs `script`.
  Expected<Worker> start(StringRef script,
                         StringRef setup = "echo '{\"ok\": true}'",
                         StringRef device = "cpu") {
    std::string tool = joinPath(scratch->path(), "tool");
    std::string text =
        ("#!/bin/sh\nfolder=" + scratch->path() +
         "\nwhile read line; do case $line in\n"
         "*hello*) echo start >>$folder/starts; echo '{\"ok\": true, "
         "\"device\": {\"name\": \"script\", \"kind\": \"cpu\"}}';;\n"
         "*setup*) " +
         setup + ";;\n*) " + script + ";;\nesac; done\n")
            .str();
    EXPECT_FALSE(bool(writeFile(tool, text)));
    EXPECT_FALSE(bool(sys::fs::setPermissions(tool, sys::fs::all_all)));
    Expected<Worker> worker = Worker::start(device, scratch->path(), tool);
    if (worker)
      EXPECT_FALSE(bool(worker->setup("oracle")));
    return worker;
  }
  size_t starts() {
    Expected<std::string> text = readFile(joinPath(scratch->path(), "starts"));
    return text ? StringRef(*text).count('\n') : 0;
  }
  std::optional<ScratchFolder> scratch;
};
} // namespace

TEST_F(WorkerTest, aVerdictComesBack) {
  Verdict right;
  right.kind = VerdictKind::Right;
  json::Object answer{{"ok", true}, {"verdict", toJSON(right)}};
  auto worker =
      start(formatv("echo '{0}'", json::Value(std::move(answer))).str());
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  EXPECT_EQ(worker->device().name, "script");
  auto verdict = worker->judge("p", "fp32", 30);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  EXPECT_TRUE(verdict->right());
  EXPECT_EQ(starts(), 1u);
}

TEST_F(WorkerTest, aDeathIsTheCandidatesCrashAndTheNextRequestIsServed) {
  auto worker = start("kill -BUS $$");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  for (size_t time = 1; time <= 3; ++time) {
    auto verdict = worker->judge("p", "fp32", 30);
    ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
    EXPECT_EQ(verdict->kind, VerdictKind::Crash);
    EXPECT_EQ(starts(), time);
  }
}

TEST_F(WorkerTest, aHangIsCut) {
  auto worker = start("sleep 100");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  auto verdict = worker->judge("p", "fp32", 0.3);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  EXPECT_EQ(verdict->kind, VerdictKind::Hang);
}

TEST_F(WorkerTest, aTimingMayTakeAsLongAsItsRunsMay) {
  // An untimed run and three of each of two programs, each just within its
  // limit, are no hang.
  for (double run : {1.0, 10.0, 100.0})
    EXPECT_GT(Worker::timeDeadline(2, run), 2 + 8 * run);
}

TEST_F(WorkerTest, theWaitForAnotherRunIsCountedApart) {
  std::string device = formatv("cuda:worker-test-{0}", getpid());
  auto worker = start("echo '{\"ok\": true}'", "echo '{\"ok\": true}'", device);
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  std::optional<DeviceTurn> other = DeviceTurn::take(device);
  ASSERT_TRUE(other);
  std::thread another([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    other.reset();
  });
  // The wait is longer than what the request itself may take.
  auto times = worker->time("p", "", 3, 0, 0);
  another.join();
  sys::fs::remove(DeviceTurn::lockFile(device));
  EXPECT_TRUE(bool(times)) << toString(times.takeError());
  EXPECT_GE(worker->waitedSeconds(), 0.2);
}

TEST_F(WorkerTest, aFaultPoisonsTheDevice) {
  auto worker = start("echo '{\"ok\": false, \"error\": \"bad address\", "
                      "\"fault\": \"illegal access\"}'");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  auto times = worker->time("p", "", 3, 1, 1);
  ASSERT_FALSE(bool(times));
  EXPECT_TRUE(times.errorIsA<WorkerLost>());
  consumeError(times.takeError());
  times = worker->time("p", "", 3, 1, 1);
  consumeError(times.takeError());
  EXPECT_EQ(starts(), 2u);
}

TEST_F(WorkerTest, givesUpAfterTooManyDeaths) {
  auto worker = start("exit 1");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  std::string message;
  for (int time = 0; time < 20 && message.empty(); ++time) {
    auto verdict = worker->judge("p", "fp32", 30);
    if (!verdict)
      message = toString(verdict.takeError());
  }
  EXPECT_NE(message.find("lost 9 times"), std::string::npos) << message;
}

TEST_F(WorkerTest, aDeathInSetupIsNotTheNextCandidatesFault) {
  // The first candidate kills the worker; the second and third worker die while
  // they are set up, and the fourth one serves.
  StringRef setup = "case $(wc -l <$folder/starts) in 2|3) exit 3;; esac; "
                    "echo '{\"ok\": true}'";
  Verdict right;
  right.kind = VerdictKind::Right;
  json::Object answer{{"ok", true}, {"verdict", toJSON(right)}};
  auto worker =
      start(formatv("case $line in *bad*) echo said by the bad one >&2; "
                    "exit 1;; esac; echo '{0}'",
                    json::Value(std::move(answer)))
                .str(),
            setup);
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  auto verdict = worker->judge("bad", "fp32", 30);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  EXPECT_EQ(verdict->kind, VerdictKind::Crash);
  EXPECT_NE(verdict->message.find("said by the bad one"), std::string::npos);
  verdict = worker->judge("innocent", "fp32", 30);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  EXPECT_TRUE(verdict->right()) << verdict->message;
  EXPECT_EQ(starts(), 4u);
  // The log of the first worker is still there.
  auto log = readFile(joinPath(scratch->path(), "worker.log"));
  ASSERT_TRUE(bool(log));
  EXPECT_NE(log->find("said by the bad one"), std::string::npos);
}

TEST_F(WorkerTest, aDeviceThatCannotBeSetUpAgainIsAnErrorAndNoVerdict) {
  auto worker =
      start("exit 1", "case $(wc -l <$folder/starts) in 1) ;; *) exit "
                      "3;; esac; echo '{\"ok\": true}'");
  ASSERT_TRUE(bool(worker)) << toString(worker.takeError());
  auto verdict = worker->judge("bad", "fp32", 30);
  ASSERT_TRUE(bool(verdict)) << toString(verdict.takeError());
  verdict = worker->judge("innocent", "fp32", 30);
  ASSERT_FALSE(bool(verdict));
  EXPECT_NE(toString(verdict.takeError()).find("can't be set up again"),
            std::string::npos);
}
