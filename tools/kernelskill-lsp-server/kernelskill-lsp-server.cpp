// kernelskill-lsp-server: editor support for payloads, skills and recipes.
#include "KernelSkill/Driver/Registration.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  kernelskill::registerEverything(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
