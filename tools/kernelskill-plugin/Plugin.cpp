// KernelSkill's dialect, transform ops and passes as a plugin of mlir-opt. Name
// it twice: --load-dialect-plugin and --load-pass-plugin.
#include "KernelSkill/Driver/Registration.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KernelSkill", KERNELSKILL_VERSION,
          [](mlir::DialectRegistry *registry) {
            kernelskill::registerDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "KernelSkill", KERNELSKILL_VERSION,
          [] { kernelskill::registerPasses(); }};
}
