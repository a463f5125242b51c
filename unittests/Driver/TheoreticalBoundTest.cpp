// The bound on times from below, against numbers worked out by hand.
#include "../../lib/Driver/TheoreticalBound.h"

#include "gtest/gtest.h"

using namespace kernelskill;

namespace {
constexpr uint64_t kMiB = 1 << 20;

class TheoreticalBoundTest : public testing::Test {
protected:
  /// A buffer of so many MiB of f32; arguments are named by the one launch.
  BufferRecord &add(BufferKind kind, uint64_t mebibytes, bool used = true) {
    BufferRecord &buffer = program.buffers.emplace_back();
    buffer.kind = kind;
    buffer.shape = {int64_t(mebibytes * kMiB / 4)};
    LaunchArgument argument;
    argument.buffer = int32_t(program.buffers.size()) - 1;
    if (used)
      step.arguments.push_back(argument);
    return buffer;
  }
  double bound() {
    program.numerics = "fp32";
    program.steps = {step};
    return theoreticalBoundMs(program, report, peaks);
  }
  Program program;
  StepRecord step;
  AnalysisReport report;
  // 1 MiB takes a microsecond; 2^20 flops take a microsecond.
  PeakRates peaks{1e6 * kMiB, 1e6 * kMiB, 50 * kMiB};
};

} // namespace

TEST_F(TheoreticalBoundTest, countsArgumentsAndWhatTheCacheCannotKeep) {
  add(BufferKind::Argument, 64);
  add(BufferKind::Argument, 32);
  EXPECT_DOUBLE_EQ(bound(), 0.096);
  add(BufferKind::Argument, 16, /*used=*/false);
  add(BufferKind::Temporary, 1000);
  EXPECT_DOUBLE_EQ(bound(), 0.096);
  add(BufferKind::Result, 40); // stays in the cache of 50 MiB
  EXPECT_DOUBLE_EQ(bound(), 0.096);
  add(BufferKind::Result, 40); // 30 of both don't
  EXPECT_DOUBLE_EQ(bound(), 0.126);
}

TEST_F(TheoreticalBoundTest, anArgumentThatIsWrittenMayNotBeRead) {
  add(BufferKind::Argument, 64).written = true;
  EXPECT_DOUBLE_EQ(bound(), 0);
}

TEST_F(TheoreticalBoundTest, aCopyReadsItsSource) {
  add(BufferKind::Argument, 8, /*used=*/false);
  step.kind = StepRecord::Kind::Copy;
  step.source.buffer = 0;
  EXPECT_DOUBLE_EQ(bound(), 0.008);
}

TEST_F(TheoreticalBoundTest, isNoMoreThanTheDispatchesTouch) {
  add(BufferKind::Argument, 64);
  DispatchReport &dispatch = report.dispatches.emplace_back();
  dispatch.instances = 2;
  dispatch.work.set(Feature::MinBytes, 10.0 * kMiB);
  EXPECT_DOUBLE_EQ(bound(), 0.020);
  KernelReport &kernel = dispatch.kernels.emplace_back();
  kernel.features.set(Feature::TouchedBytes, 4.0 * kMiB);
  EXPECT_DOUBLE_EQ(bound(), 0.008);
}

TEST_F(TheoreticalBoundTest, countsFlopsOfContractionsInFp32) {
  add(BufferKind::Argument, 1);
  DispatchReport &dispatch = report.dispatches.emplace_back();
  dispatch.instances = 3;
  dispatch.work.set(Feature::MinBytes, 1.0 * kMiB);
  dispatch.work.set(Feature::Flops, 100.0 * kMiB);
  EXPECT_DOUBLE_EQ(bound(), 0.001); // pointwise
  dispatch.kind = DispatchKind::Contraction;
  EXPECT_DOUBLE_EQ(bound(), 0.300);
  // A kernel that rightly leaves out half of the product.
  dispatch.kernels.emplace_back().features.set(Feature::Flops, 50.0 * kMiB);
  EXPECT_DOUBLE_EQ(bound(), 0.150);
  program.buffers[0].type = ElementType::F16;
  EXPECT_DOUBLE_EQ(bound(), 0.0005);
}

TEST_F(TheoreticalBoundTest, tensorCoresAreNotHeldToTheRateOfFp32) {
  add(BufferKind::Argument, 1);
  DispatchReport &dispatch = report.dispatches.emplace_back();
  dispatch.kind = DispatchKind::Contraction;
  dispatch.work.set(Feature::Flops, 100.0 * kMiB);
  EXPECT_DOUBLE_EQ(bound(), 0.100);
  program.numerics = "tf32";
  EXPECT_DOUBLE_EQ(theoreticalBoundMs(program, report, peaks), 0.001);
}

TEST(PeakRatesTest, areTheTablesUnlessTheDeviceShowsMore) {
  auto chip = findChip("sm_90");
  ASSERT_TRUE(bool(chip));
  DeviceProperties device;
  device.multiprocessors = 132;
  device.clockKHz = 1980000;
  PeakRates peaks = peakRates(**chip, device, 2.9e12);
  EXPECT_DOUBLE_EQ(peaks.bytesPerSecond, 3.35e12);
  EXPECT_DOUBLE_EQ(peaks.flopsPerSecond, 67e12);
  EXPECT_EQ(peaks.l2Bytes, 50 * kMiB);
  // An H200 says sm_90 too, and copies faster than the table's H100 can.
  device.l2Bytes = 60 * kMiB;
  device.multiprocessors = 264;
  peaks = peakRates(**chip, device, 4.2e12);
  EXPECT_EQ(peaks.bytesPerSecond, 0);
  EXPECT_DOUBLE_EQ(peaks.flopsPerSecond, 134e12);
  EXPECT_EQ(peaks.l2Bytes, 60 * kMiB);
}

static CandidateRecord timed(double ms) {
  CandidateRecord record;
  record.hash = "h";
  record.verdict = Outcome::Right;
  record.milliseconds = JournalInterval{ms, ms, ms};
  record.speedup = JournalInterval{2, 2, 2};
  return record;
}

TEST(CheckAgainstBoundTest, aTimeBelowItIsInvalidAndNeverTheBest) {
  CandidateRecord record = timed(0.5);
  checkAgainstBound(record, 0.75);
  EXPECT_EQ(record.verdict, Outcome::Invalid);
  EXPECT_EQ(outcomeName(record.verdict), "invalid");
  EXPECT_EQ(record.stage, "time");
  EXPECT_NE(record.reason.find("0.500000 ms"), std::string::npos);
  EXPECT_NE(record.reason.find("0.750000 ms"), std::string::npos);
  EXPECT_FALSE(record.milliseconds || record.speedup);
  JournalContents contents;
  contents.candidates = {record, timed(1)};
  EXPECT_EQ(contents.best(), &contents.candidates[1]);
}

TEST(CheckAgainstBoundTest, othersAndEstimatesStayAsTheyAre) {
  CandidateRecord record = timed(0.75);
  checkAgainstBound(record, 0.75);
  EXPECT_EQ(record.verdict, Outcome::Right);
  record = timed(0.5);
  record.estimate = true;
  checkAgainstBound(record, 0.75);
  EXPECT_EQ(record.verdict, Outcome::Right);
  EXPECT_TRUE(record.milliseconds && record.speedup);
}
