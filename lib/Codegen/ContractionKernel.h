// The body of a contraction kernel.
#ifndef KERNELSKILL_CODEGEN_CONTRACTIONKERNEL_H
#define KERNELSKILL_CODEGEN_CONTRACTIONKERNEL_H

#include "ContractionTiling.h"
#include "KernelBuilder.h"

namespace kernelskill {

/// Writes the body of a kernel on a grid of `tiling.blocks()` blocks of
/// `tiling.threads` threads.
void emitContraction(Kernel &kernel, const ContractionShape &shape,
                     const ContractionTiling &tiling);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_CONTRACTIONKERNEL_H
