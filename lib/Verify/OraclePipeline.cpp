// From linalg on tensors to the kernel stage by upstream's passes, with small
// ones of our own between them that bridge what upstream leaves open.
#include "KernelSkill/Verify/Oracle.h"
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

// Threads of a block of the oracle's kernels.
static constexpr int64_t kBlockThreads = 256;

static void addBufferization(OpPassManager &manager) {
  manager.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  manager.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // Without modify-public-functions a public function is skipped in silence.
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.addResultAttribute = true;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  manager.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void kernelskill::buildOraclePipeline(OpPassManager &manager) {
  manager.addNestedPass<func::FuncOp>(createPrepareOracle());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // After CSE, which makes one value of equal results.
  manager.addNestedPass<func::FuncOp>(createCopyRepeatedResults());
  addBufferization(manager);

  // Between making the loops and mapping them nothing may canonicalize: a loop
  // of one iteration would turn into host code.
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(createOracleLaunches());
  function.addPass(createOracleScans());
  function.addPass(createParallelLoopTilingPass({kBlockThreads},
                                                /*noMinMaxBounds=*/true));
  function.addPass(createGpuMapParallelLoopsPass());
  manager.addPass(createConvertParallelLoopToGpuPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(affine::createAffineExpandIndexOpsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());

  manager.addNestedPass<func::FuncOp>(createSinkCaptures());
  manager.addPass(createGpuKernelOutliningPass());
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createFinishOracle());
}

void kernelskill::registerOraclePipeline() {
  static PassPipelineRegistration<> registration(
      "kernelskill-oracle-pipeline",
      "from linalg on tensors to the kernel stage, by upstream's passes",
      buildOraclePipeline);
}
