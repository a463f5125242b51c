#include "../../lib/Driver/DeviceTurn.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <future>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelskill;

namespace {

/// Turns of a device that no machine has, so that nobody else waits for it.
class DeviceTurnTest : public ::testing::Test {
protected:
  std::string device = llvm::formatv("cuda:test-{0}", getpid());
  void TearDown() override {
    llvm::sys::fs::remove(DeviceTurn::lockFile(device));
  }
  bool comesWithin(std::chrono::milliseconds limit, std::future<int> &turn) {
    return turn.wait_for(limit) == std::future_status::ready;
  }
  std::future<int> takeAndGiveBack() {
    return std::async(std::launch::async,
                      [this] { return DeviceTurn::take(device) ? 1 : 0; });
  }
};

TEST_F(DeviceTurnTest, SecondWaitsForTheFirst) {
  std::optional<DeviceTurn> first = DeviceTurn::take(device);
  ASSERT_TRUE(first);
  std::future<int> second = takeAndGiveBack();
  EXPECT_FALSE(comesWithin(std::chrono::milliseconds(100), second));
  first.reset();
  EXPECT_TRUE(comesWithin(std::chrono::seconds(30), second));
}

TEST_F(DeviceTurnTest, KilledProcessGivesItsTurnBack) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    std::optional<DeviceTurn> turn = DeviceTurn::take(device);
    (void)!write(ready[1], "x", 1);
    pause();
    _exit(0);
  }
  close(ready[1]);
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  std::future<int> second = takeAndGiveBack();
  EXPECT_FALSE(comesWithin(std::chrono::milliseconds(100), second));
  kill(child, SIGKILL);
  EXPECT_TRUE(comesWithin(std::chrono::seconds(30), second));
  waitpid(child, nullptr, 0);
  close(ready[0]);
}

TEST_F(DeviceTurnTest, CpuDeviceHasNoTurns) {
  std::optional<DeviceTurn> first = DeviceTurn::take("cpu");
  EXPECT_TRUE(DeviceTurn::take("cpu"));
  EXPECT_FALSE(llvm::sys::fs::exists(DeviceTurn::lockFile("cpu")));
}

} // namespace
