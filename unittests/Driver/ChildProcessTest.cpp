// Children: how they end, limits, deadlines, lines.
#include "../../lib/Driver/ChildProcess.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace llvm;
using namespace kernelskill;

namespace {
class ChildProcessTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("child", "log", log));
  }
  void TearDown() override { sys::fs::remove(log); }
  ChildProcess shell(std::string script, ChildLimits limits = {},
                     bool pipes = false) {
    auto child = ChildProcess::start({"/bin/sh", "-c", std::move(script)},
                                     limits, log, pipes);
    EXPECT_TRUE(bool(child));
    return std::move(*child);
  }
  static Clock::time_point in(int milliseconds) {
    return Clock::now() + std::chrono::milliseconds(milliseconds);
  }
  SmallString<128> log;
};
} // namespace

TEST_F(ChildProcessTest, exitCodeAndLog) {
  ChildEnd end = shell("echo out; echo err >&2; exit 7").wait(in(10000));
  EXPECT_EQ(end.exitCode, 7);
  EXPECT_FALSE(end.ok());
  EXPECT_EQ(lastLines(log), "out err");
}

TEST_F(ChildProcessTest, signalIsNamed) {
  ChildEnd end = shell("kill -SEGV $$").wait(in(10000));
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_EQ(end.describe(), "died of signal 11 (Segmentation fault)");
}

TEST_F(ChildProcessTest, deadlineKillsTheWholeGroup) {
  auto start = Clock::now();
  ChildEnd end = shell("sleep 100 & sleep 100").wait(in(50));
  EXPECT_TRUE(end.killed);
  EXPECT_LT(secondsSince(start), 5);
}

TEST_F(ChildProcessTest, cpuLimit) {
  ChildLimits limits;
  limits.cpuSeconds = 0.1;
  ChildEnd end = shell("while :; do :; done", limits).wait(in(20000));
  EXPECT_FALSE(end.ok());
  EXPECT_FALSE(end.killed);
}

TEST_F(ChildProcessTest, linesGoBothWays) {
  ChildProcess child = shell("read a; echo \"got $a\"; echo last", {}, true);
  ASSERT_FALSE(bool(child.send("hello")));
  bool timedOut;
  EXPECT_EQ(child.receiveLine(in(10000), timedOut), "got hello");
  EXPECT_EQ(child.receiveLine(in(10000), timedOut), "last");
  EXPECT_EQ(child.receiveLine(in(10000), timedOut), std::nullopt);
  EXPECT_FALSE(timedOut);
  EXPECT_TRUE(child.wait(in(10000)).ok());
}

TEST_F(ChildProcessTest, receiveTimesOut) {
  ChildProcess child = shell("sleep 100", {}, true);
  bool timedOut;
  EXPECT_EQ(child.receiveLine(in(30), timedOut), std::nullopt);
  EXPECT_TRUE(timedOut);
}

TEST_F(ChildProcessTest, missingProgramIsAFailure) {
  auto child = ChildProcess::start({"/no/such/program"}, {}, log, false);
  ASSERT_TRUE(bool(child));
  EXPECT_EQ(child->wait(in(10000)).exitCode, 127);
}
