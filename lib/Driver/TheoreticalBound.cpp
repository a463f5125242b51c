// Bounds times from below; see the header.
#include "TheoreticalBound.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace kernelskill;

/// No copy reaches this part of the DRAM peak (an H200 reaches 0.89).
static constexpr double copyLimit = 0.97;

PeakRates kernelskill::peakRates(const Chip &chip,
                                 const DeviceProperties &device,
                                 double copyBytesPerSecond) {
  PeakRates peaks;
  if (copyBytesPerSecond < copyLimit * chip.dramBytesPerSecond)
    peaks.bytesPerSecond = chip.dramBytesPerSecond;
  double multiprocessors =
             double(device.multiprocessors) / chip.multiprocessors,
         clock = device.clockKHz / (chip.clockGHz * 1e6);
  peaks.flopsPerSecond = chip.fp32FlopsPerSecond *
                         std::max(1.0, multiprocessors) * std::max(1.0, clock);
  peaks.l2Bytes = std::max<uint64_t>(chip.l2Bytes, device.l2Bytes);
  return peaks;
}

/// Arguments that a step reads or may read, and results beyond the L2 cache.
static double bytesOfBuffers(const Program &program, uint64_t l2Bytes) {
  std::vector<bool> named(program.buffers.size());
  auto name = [&](const LaunchArgument &argument) {
    if (argument.buffer >= 0)
      named[argument.buffer] = true;
  };
  for (const StepRecord &step : program.steps) {
    for (const LaunchArgument &argument : step.arguments)
      name(argument);
    if (step.kind == StepRecord::Kind::Copy)
      name(step.source);
  }
  double bytes = 0, results = 0;
  for (auto [index, buffer] : enumerate(program.buffers)) {
    // An argument that is written may be only written.
    if (buffer.kind == BufferKind::Argument && named[index] && !buffer.written)
      bytes += buffer.bytes();
    if (buffer.kind == BufferKind::Result)
      results += buffer.bytes();
  }
  return bytes + std::max(0.0, results - double(l2Bytes));
}

/// The feature over all kernels of a dispatch; nothing if one lacks it.
static std::optional<double> ofKernels(const DispatchReport &dispatch,
                                       Feature feature) {
  if (dispatch.kernels.empty())
    return std::nullopt;
  double sum = 0;
  for (const KernelReport &kernel : dispatch.kernels) {
    std::optional<double> value = kernel.features.get(feature);
    if (!value)
      return std::nullopt;
    sum += *value;
  }
  return sum;
}

/// What the dispatches must touch and their kernels do: less than the buffers
/// if slices of them are read. Nothing if one of them is not known.
static std::optional<double> bytesOfDispatches(const AnalysisReport &report) {
  if (report.dispatches.empty())
    return std::nullopt; // only copies
  double sum = 0;
  for (const DispatchReport &dispatch : report.dispatches) {
    std::optional<double> bytes = dispatch.work.get(Feature::MinBytes);
    if (!bytes)
      return std::nullopt;
    if (auto touched = ofKernels(dispatch, Feature::TouchedBytes))
      bytes = std::min(*bytes, *touched);
    sum += dispatch.instances * *bytes;
  }
  return sum;
}

/// Flops of contractions. A kernel may rightly do fewer than the product has
/// (of a triangular operand), so the smaller number counts.
static double flopsOfContractions(const AnalysisReport &report) {
  double sum = 0;
  for (const DispatchReport &dispatch : report.dispatches) {
    if (dispatch.kind != DispatchKind::Contraction)
      continue;
    double flops = dispatch.work.getOr(Feature::Flops, 0);
    if (auto done = ofKernels(dispatch, Feature::Flops))
      flops = std::min(flops, *done);
    sum += dispatch.instances * flops;
  }
  return sum;
}

/// Whether the table's fp32 rate holds: not on tensor cores, nor for other
/// types.
static bool isPlainFp32(const Program &program) {
  return (program.numerics == "fp32" || program.numerics == "strict") &&
         all_of(program.buffers, [](const BufferRecord &buffer) {
           return buffer.type == ElementType::F32;
         });
}

double kernelskill::theoreticalBoundMs(const Program &program,
                                       const AnalysisReport &report,
                                       const PeakRates &peaks) {
  double seconds = 0;
  if (peaks.bytesPerSecond > 0) {
    double bytes = bytesOfBuffers(program, peaks.l2Bytes);
    if (std::optional<double> least = bytesOfDispatches(report))
      bytes = std::min(bytes, *least);
    seconds = bytes / peaks.bytesPerSecond;
  }
  if (peaks.flopsPerSecond > 0 && isPlainFp32(program))
    seconds =
        std::max(seconds, flopsOfContractions(report) / peaks.flopsPerSecond);
  return seconds * 1e3;
}

void kernelskill::checkAgainstBound(CandidateRecord &record, double boundMs) {
  if (record.estimate || !record.milliseconds ||
      record.milliseconds->median >= boundMs)
    return;
  record.verdict = Outcome::Invalid;
  record.stage = "time";
  record.reason = formatv("measured {0:F6} ms, which is below the theoretical "
                          "bound of {1:F6} ms: such a time is not believed",
                          record.milliseconds->median, boundMs);
  record.milliseconds.reset();
  record.speedup.reset();
}
