// Generated declarations and registration of the Graph room's passes.
#ifndef KERNELSKILL_GRAPH_PASSES_H
#define KERNELSKILL_GRAPH_PASSES_H

#include "mlir/Pass/Pass.h"

namespace kernelskill {
#define GEN_PASS_DECL
#include "KernelSkill/Graph/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "KernelSkill/Graph/Passes.h.inc"
} // namespace kernelskill

#endif // KERNELSKILL_GRAPH_PASSES_H
