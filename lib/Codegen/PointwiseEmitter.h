// Emits nests without reduction loops: each thread some vectors.
#ifndef KERNELSKILL_CODEGEN_POINTWISEEMITTER_H
#define KERNELSKILL_CODEGEN_POINTWISEEMITTER_H

#include "KernelBuilder.h"
#include "Nest.h"

namespace kernelskill {

struct PointwiseKnobs {
  int64_t vectorWidth = 1;
  int64_t blockSize = 256;
  int64_t itemsPerThread = 1;
};

/// Says why these knobs do not fit the nest (whose loops are collapsed).
llvm::Error checkPointwise(const Nest &nest, const PointwiseKnobs &knobs);
void emitPointwise(KernelBuilder &builder, const Nest &nest,
                   const PointwiseKnobs &knobs);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_POINTWISEEMITTER_H
