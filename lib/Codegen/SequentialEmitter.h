// Emits nests whose reduction loops run in order.
#ifndef KERNELSKILL_CODEGEN_SEQUENTIALEMITTER_H
#define KERNELSKILL_CODEGEN_SEQUENTIALEMITTER_H

#include "KernelBuilder.h"
#include "Nest.h"

namespace kernelskill {

/// One thread for each result runs the whole region over the reduction loops,
/// in order: right for any region (argmax, …). Sums that round are summed in
/// blocks. The nest's loops are ordered parallel first.
void emitSequential(KernelBuilder &builder, const Nest &nest,
                    int64_t blockSize);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_SEQUENTIALEMITTER_H
