// Medians and their intervals.
#include "KernelSkill/Runtime/Device.h"
#include "gtest/gtest.h"

using namespace kernelskill;

namespace {
TEST(Statistics, Median) {
  EXPECT_EQ(medianInterval({3.0, 1.0, 2.0}).median, 2.0);
  EXPECT_EQ(medianInterval({4.0, 1.0, 2.0, 3.0}).median, 2.5);
  Interval one = medianInterval({7.0});
  EXPECT_EQ(one.low, 7.0);
  EXPECT_EQ(one.high, 7.0);
  EXPECT_EQ(medianInterval({}).median, 0.0);
}

TEST(Statistics, IntervalHoldsTheMedianAndIsRepeatable) {
  std::vector<double> values;
  for (unsigned i = 0; i < 101; ++i)
    values.push_back(100 + (i * 37 % 101) / 101.0);
  values.push_back(1e9); // an outlier moves nothing
  Interval interval = medianInterval(values), again = medianInterval(values);
  EXPECT_LT(interval.low, interval.median);
  EXPECT_GT(interval.high, interval.median);
  EXPECT_GT(interval.low, 100.3);
  EXPECT_LT(interval.high, 100.7);
  EXPECT_EQ(interval.low, again.low);
  EXPECT_EQ(interval.high, again.high);
}

TEST(Statistics, Ratios) {
  // Pairs share their drift, so the ratio is sharper than the times.
  std::vector<double> a, b;
  for (unsigned i = 0; i < 40; ++i) {
    a.push_back(2.0 * (1 + i));
    b.push_back(1 + i);
  }
  Interval ratio = ratioInterval(a, b);
  EXPECT_EQ(ratio.median, 2.0);
  EXPECT_EQ(ratio.low, 2.0);
  EXPECT_EQ(ratio.high, 2.0);
}
} // namespace
