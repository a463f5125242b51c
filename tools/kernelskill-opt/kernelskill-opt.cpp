// kernelskill-opt: all KernelSkill and upstream passes on the command line.
#include "KernelSkill/Driver/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  kernelskill::registerEverything(registry);
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "KernelSkill optimizer: passes of KernelSkill and MLIR\n",
      registry));
}
