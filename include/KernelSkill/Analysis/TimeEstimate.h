// The analytic time model. Everything it says is an estimate; docs/policy.md
// states its formulas and constants.
#ifndef KERNELSKILL_ANALYSIS_TIMEESTIMATE_H
#define KERNELSKILL_ANALYSIS_TIMEESTIMATE_H

#include "KernelSkill/Analysis/Features.h"

namespace kernelskill {

/// What a launch costs beside the kernel's own work, microseconds.
inline constexpr double kLaunchUs = 2.0;

/// Sets occupancy_fraction, blocks_per_sm, waves and bytes_in_flight_per_sm
/// from threads, shared memory and, where known, registers.
void estimateOccupancy(FeatureSet &kernel, const Chip &chip);

/// Sets the terms of the model (dram_us, l2_us, compute_us, issue_us,
/// shared_us, latency_us, sync_us, launch_us) that are known, and estimated_us
/// when the terms of memory and issue are.
void estimateTime(FeatureSet &kernel, const Chip &chip);

/// The roofline: the time that flops and min_bytes take at the chip's peak
/// rates; nothing if the bytes are not known.
std::optional<double> rooflineUs(const FeatureSet &work, const Chip &chip);

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_TIMEESTIMATE_H
