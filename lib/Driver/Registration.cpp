// Registers dialects, extensions and passes; see the header.
#include "KernelSkill/Driver/Registration.h"

#include "KernelSkill/Analysis/Passes.h"
#include "KernelSkill/Codegen/Passes.h"
#include "KernelSkill/Codegen/TransformOps.h"
#include "KernelSkill/Graph/Passes.h"
#include "KernelSkill/IR/KernelSkillOps.h"
#include "KernelSkill/Lowering/Passes.h"
#include "KernelSkill/Skills/Passes.h"
#include "KernelSkill/Verify/Oracle.h"
#include "KernelSkill/Verify/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void kernelskill::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<KernelSkillDialect>();
  registerBufferization(registry);
  registerTransformOps(registry);
}

void kernelskill::registerPasses() {
  registerKernelSkillAnalysisPasses();
  registerKernelSkillGraphPasses();
  registerKernelSkillCodegenPasses();
  registerKernelSkillLoweringPasses();
  registerKernelSkillVerifyPasses();
  registerOraclePipeline();
  registerKernelSkillSkillsPasses();
}

void kernelskill::registerUsedDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  registerDialects(registry);
}

void kernelskill::registerEverything(mlir::DialectRegistry &registry) {
  mlir::registerAllPasses();
  registerUsedDialects(registry);
  registerPasses();
}
