// Emits nests with reduction loops whose combiners are recognised.
#ifndef KERNELSKILL_CODEGEN_REDUCTIONEMITTER_H
#define KERNELSKILL_CODEGEN_REDUCTIONEMITTER_H

#include "KernelBuilder.h"
#include "Nest.h"

namespace kernelskill {

struct ReductionKnobs {
  int64_t blockSize = 256;
  /// Threads of a block that share the reduction of one result.
  int64_t lanes = 1;
  int64_t vectorWidth = 1;
  /// Independent loads of each input in a thread.
  int64_t unroll = 1;
  /// Parts of the reduction that a second kernel combines.
  int64_t split = 1;
};

/// Brings the loops into the order that the reduction emitter works on:
/// parallel ones, then reduction ones, collapsed, and within its kind last the
/// loop along which the largest input is contiguous.
void orderForReduction(Nest &nest);
/// Does the largest input run along a reduction loop (an ordered nest)?
bool runsAlongReduction(const Nest &nest);

/// Says why these knobs do not fit the ordered nest.
llvm::Error checkReduction(const Nest &nest, const ReductionKnobs &knobs);
void emitReduction(KernelBuilder &builder, const Nest &nest,
                   const ReductionKnobs &knobs);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_REDUCTIONEMITTER_H
