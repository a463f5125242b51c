// From a payload to the programs that judge its candidates.
#ifndef KERNELSKILL_VERIFY_ORACLE_H
#define KERNELSKILL_VERIFY_ORACLE_H

#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Verify/OraclePrograms.h"

#include "mlir/Pass/PassManager.h"

namespace kernelskill {

/// Builds oracle, yardstick and support programs of an untouched payload
/// (linalg on tensors, or one gpu.func). The payload is cloned, not changed.
/// The yardstick is that of a known numerics class (Numerics.h). Errors have
/// been emitted as diagnostics when this fails.
mlir::FailureOr<OraclePrograms> buildOracle(mlir::ModuleOp payload,
                                            const LoweringOptions &options,
                                            llvm::StringRef numerics = "fp32");

/// The support kernels alone; the same for every payload.
mlir::FailureOr<Program> buildSupport(mlir::MLIRContext &context,
                                      const LoweringOptions &options);

/// From linalg on tensors to the kernel stage (docs/architecture.md), by
/// upstream's bufferization, parallel loops and GPU mapping.
void buildOraclePipeline(mlir::OpPassManager &manager);
/// Registers it as `kernelskill-oracle-pipeline`.
void registerOraclePipeline();

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_ORACLE_H
