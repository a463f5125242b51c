// Medians and their bootstrap intervals, the same in every run.
#include "KernelSkill/Runtime/Device.h"

#include <algorithm>

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr unsigned resamples = 1000;

/// splitmix64: small, and the same on every machine (which <random>'s
/// distributions are not).
class Generator {
public:
  /// A number below `limit`; its bias is below 2^-32 for our sizes.
  size_t below(size_t limit) {
    state += 0x9e3779b97f4a7c15;
    uint64_t bits = state;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    return (bits >> 32) * limit >> 32;
  }

private:
  uint64_t state = 0;
};
} // namespace

/// The median; reorders the values.
static double medianOf(MutableArrayRef<double> values) {
  size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  double upper = values[half];
  if (values.size() % 2 == 1)
    return upper;
  return (*std::max_element(values.begin(), values.begin() + half) + upper) / 2;
}

Interval kernelskill::medianInterval(ArrayRef<double> values) {
  if (values.empty())
    return {};
  std::vector<double> sample(values.begin(), values.end());
  Interval interval;
  interval.median = medianOf(sample);
  std::vector<double> medians(resamples);
  Generator generator;
  for (double &median : medians) {
    for (double &value : sample)
      value = values[generator.below(values.size())];
    median = medianOf(sample);
  }
  llvm::sort(medians);
  interval.low = medians[resamples * 25 / 1000];
  interval.high = medians[resamples * 975 / 1000 - 1];
  return interval;
}

Interval kernelskill::ratioInterval(ArrayRef<double> a, ArrayRef<double> b) {
  std::vector<double> ratios;
  for (auto [left, right] : zip(a, b))
    ratios.push_back(left / right);
  return medianInterval(ratios);
}
