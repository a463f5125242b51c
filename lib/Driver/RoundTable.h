// The rounds of a run as a table for people.
#ifndef KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H
#define KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H

#include "KernelSkill/Memory/Journal.h"
#include "llvm/Support/raw_ostream.h"

namespace kernelskill {
/// "1.234 ms", "12.3 µs".
std::string timeText(double milliseconds);
/// The same; marked "(estimate)" if it is one.
std::string timeText(const CandidateRecord &candidate);
/// For each round the best setting with its verdict and time, and the settings
/// that failed with their reasons; `*` where the base moved. Then the stop
/// reason. `best` is the hash of the result.
void printRoundTable(const JournalContents &contents, llvm::StringRef best,
                     llvm::raw_ostream &os);
/// The verdict of one candidate, with its reason when it is not right.
std::string verdictText(const CandidateRecord &candidate);
} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H
