// The result is decided by pairs that were timed together, not by times of
// different moments. A table of true times stands in the place of the device.
#include "../../lib/Driver/SettleBest.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {
class SettleBestTest : public testing::Test {
protected:
  /// A right candidate with the time that its own moment gave.
  void add(StringRef hash, double measured, double trueTime) {
    CandidateRecord record;
    record.hash = hash.str();
    record.verdict = Outcome::Right;
    record.milliseconds = JournalInterval{measured, measured, measured};
    contents.candidates.push_back(record);
    times[record.hash] = trueTime;
  }
  Expected<WorkerTimes> time(StringRef program, StringRef base) {
    pairs.push_back((program + "/" + base).str());
    if (!times.count(program.str()))
      return createStringError("lost");
    double own = times[program.str()], other = times[base.str()];
    double speedup = other / own;
    return WorkerTimes{{own, own, own},
                       {other, other, other},
                       {speedup, speedup - 0.005, speedup + 0.005}};
  }
  ResultRecord settleAll(StringRef base) {
    auto result = settle(contendersOf(contents, base, "seed"), "seed",
                         [&](StringRef a, StringRef b) { return time(a, b); });
    EXPECT_TRUE(bool(result)) << toString(result.takeError());
    return *result;
  }
  JournalContents contents;
  std::map<std::string, double> times;
  std::vector<std::string> pairs;
};
} // namespace

TEST_F(SettleBestTest, aLuckyMomentDoesNotWin) {
  add("seed", 10, 10);
  add("base", 5, 5);
  add("lucky", 4.8, 5.2); // was timed while the clock was high
  EXPECT_EQ(contents.best()->hash, "lucky");
  ResultRecord result = settleAll("base");
  EXPECT_EQ(result.best, "base");
  EXPECT_EQ(result.contenders, 3);
  EXPECT_DOUBLE_EQ(result.speedup->median, 2);
}

TEST_F(SettleBestTest, anUnluckyMomentDoesNotLose) {
  add("seed", 10, 10);
  add("base", 5, 5);
  add("unlucky", 5.1, 4.9);
  EXPECT_EQ(settleAll("base").best, "unlucky");
  EXPECT_EQ(pairs, (std::vector<std::string>{"unlucky/base", "unlucky/seed"}));
}

TEST_F(SettleBestTest, aDifferenceWithinTheNoiseDoesNotCount) {
  add("seed", 10, 10);
  add("base", 5, 5);
  add("equal", 5, 4.99);
  EXPECT_EQ(settleAll("base").best, "base");
}

TEST_F(SettleBestTest, theResultIsNeverSlowerThanTheSeed) {
  add("seed", 10, 4);
  add("base", 9, 5); // the seed's moment was bad
  ResultRecord result = settleAll("base");
  EXPECT_EQ(result.best, "seed");
  EXPECT_DOUBLE_EQ(result.milliseconds->median, 4);
  EXPECT_DOUBLE_EQ(result.speedup->median, 1);
}

TEST_F(SettleBestTest, whatIsFarOffOrCannotBeTimedIsLeftOut) {
  add("seed", 10, 10);
  add("base", 5, 5);
  add("far", 6, 1);
  add("lost", 4.9, 1);
  times.erase("lost");
  EXPECT_EQ(settleAll("base").best, "base");
  EXPECT_EQ(pairs, (std::vector<std::string>{"lost/base", "base/seed"}));
}

TEST_F(SettleBestTest, theSeedAloneIsNotTimed) {
  add("seed", 10, 10);
  EXPECT_EQ(settleAll("seed").best, "seed");
  EXPECT_TRUE(pairs.empty());
}
