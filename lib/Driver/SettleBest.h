// Which right candidate a run ends with. Times that were measured at different
// moments can't be compared, so the contenders are timed once more, in
// interleaved pairs.
#ifndef KERNELSKILL_LIB_DRIVER_SETTLEBEST_H
#define KERNELSKILL_LIB_DRIVER_SETTLEBEST_H

#include "KernelSkill/Memory/Journal.h"
#include "Worker.h"

namespace kernelskill {

inline JournalInterval toJournal(const Interval &interval) {
  return {interval.median, interval.low, interval.high};
}

/// Times a candidate against another; both by their hashes.
using TimePair = llvm::function_ref<llvm::Expected<WorkerTimes>(
    llvm::StringRef program, llvm::StringRef base)>;

/// The base, then the other right candidates whose times of whatever moment
/// are near its own or below, fastest first; few.
std::vector<std::string> contendersOf(const JournalContents &contents,
                                      llvm::StringRef base,
                                      llvm::StringRef seed);

/// A contender replaces the one before it if it is faster beyond doubt. What is
/// left is compared with the seed, and gives way to it if it is slower. A
/// contender that can't be timed is left out; of the seed that is an error.
llvm::Expected<ResultRecord> settle(llvm::ArrayRef<std::string> contenders,
                                    llvm::StringRef seed, TimePair timePair);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_SETTLEBEST_H
