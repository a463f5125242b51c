// The time that no right program can beat: what it must move over what the
// chip's memory can move, or its products over what the chip can multiply. A
// measured time below it is a defect of the measurement or a program that does
// not do its work, so it is never believed.
//
// It must never be above the truth, so all that is in doubt is left out. The
// rates are those of the chip table, hence of the product named there.
#ifndef KERNELSKILL_LIB_DRIVER_THEORETICALBOUND_H
#define KERNELSKILL_LIB_DRIVER_THEORETICALBOUND_H

#include "KernelSkill/Memory/Journal.h"
#include "KernelSkill/Runtime/Device.h"
#include "KernelSkill/Skills/AnalysisReport.h"

namespace kernelskill {

/// Peak rates that a program is held to; 0 where none is known to hold.
struct PeakRates {
  double bytesPerSecond = 0, flopsPerSecond = 0;
  uint64_t l2Bytes = 0;
};

/// The peaks of `chip` as far as the device does not contradict them: one whose
/// copies (`copyBytesPerSecond`, 0 if not measured) come nearer to the table's
/// DRAM peak than copies can is another product, and more multiprocessors or a
/// higher clock raise the rate of arithmetic.
PeakRates peakRates(const Chip &chip, const DeviceProperties &device,
                    double copyBytesPerSecond);

/// Milliseconds. Bytes: the arguments that the program's steps name (the L2
/// cache is flushed before a timed run), and what of its results the L2 cache
/// can't keep, but no more than the dispatches must touch and their kernels do.
/// Flops: of contractions, for programs of fp32 arithmetic only.
double theoreticalBoundMs(const Program &program, const AnalysisReport &report,
                          const PeakRates &peaks);

/// Makes the verdict "invalid" if the median is below the bound: the record
/// then has no time, and its reason names both. Estimates are left alone.
void checkAgainstBound(CandidateRecord &record, double boundMs);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_THEORETICALBOUND_H
