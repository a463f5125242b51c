// The rounds of a run as a table for people.
#ifndef KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H
#define KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H

#include "KernelSkill/Memory/Journal.h"
#include "llvm/Support/raw_ostream.h"

namespace kernelskill {
/// "1.234 ms", "12.3 µs"; marked "(estimate)" if it is one.
std::string timeText(const CandidateRecord &candidate);
/// One row for each candidate, with its verdict and time; the winner of each
/// round is marked. Then the stop reason.
void printRoundTable(const JournalContents &contents, llvm::raw_ostream &os);
/// The verdict of one candidate, with its reason when it is not right.
std::string verdictText(const CandidateRecord &candidate);
} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_ROUNDTABLE_H
