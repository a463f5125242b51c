// Reading of journal records; an error says which field is amiss.
#ifndef KERNELSKILL_LIB_MEMORY_JOURNALRECORDS_H
#define KERNELSKILL_LIB_MEMORY_JOURNALRECORDS_H

#include "KernelSkill/Memory/Journal.h"

namespace kernelskill {
llvm::Error fromJson(const llvm::json::Object &object, JournalHeader &header);
llvm::Error fromJson(const llvm::json::Object &object, CandidateRecord &record);
llvm::Error fromJson(const llvm::json::Object &object, PlanRecord &record);
llvm::Error fromJson(const llvm::json::Object &object, RoundRecord &record);
llvm::Error fromJson(const llvm::json::Object &object, StopRecord &record);
llvm::Error fromJson(const llvm::json::Object &object, ResultRecord &record);
} // namespace kernelskill

#endif // KERNELSKILL_LIB_MEMORY_JOURNALRECORDS_H
