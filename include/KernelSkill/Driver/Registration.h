// What every tool registers. One place, so that all tools know the same IR.
#ifndef KERNELSKILL_DRIVER_REGISTRATION_H
#define KERNELSKILL_DRIVER_REGISTRATION_H

#include "KernelSkill/Version.h"

namespace mlir {
class DialectRegistry;
}

namespace kernelskill {
/// KernelSkill's dialect and transform-dialect extension.
void registerDialects(mlir::DialectRegistry &registry);
/// KernelSkill's passes and pipelines.
void registerPasses();
/// The upstream dialects, extensions, translations and interface models that
/// payloads, recipes and lowerings use, and registerDialects.
void registerUsedDialects(mlir::DialectRegistry &registry);
/// All of the above and the upstream passes: what an opt tool offers.
void registerEverything(mlir::DialectRegistry &registry);
} // namespace kernelskill

#endif // KERNELSKILL_DRIVER_REGISTRATION_H
