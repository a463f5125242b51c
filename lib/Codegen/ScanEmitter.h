// Emits scans: each thread runs along some lines.
#ifndef KERNELSKILL_CODEGEN_SCANEMITTER_H
#define KERNELSKILL_CODEGEN_SCANEMITTER_H

#include "KernelBuilder.h"

#include "KernelSkill/IR/KernelSkillOps.h"

namespace kernelskill {

/// The scan that a dispatch is, or null.
ScanOp scanOf(mlir::func::FuncOp dispatch);

/// One thread a line of the scanned dimension, in order and in blocks: the
/// error grows with the root of the length. `blockSize` is in threads.
void emitScan(KernelBuilder &builder, ScanOp scan, int64_t blockSize);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_SCANEMITTER_H
