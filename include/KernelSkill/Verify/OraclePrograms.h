// The programs that a payload's candidates are judged with. No MLIR: they are
// built by buildOracle (Oracle.h), written to a folder, and read by the process
// that holds the device.
#ifndef KERNELSKILL_VERIFY_ORACLEPROGRAMS_H
#define KERNELSKILL_VERIFY_ORACLEPROGRAMS_H

#include "KernelSkill/Runtime/Program.h"

namespace kernelskill {

struct OraclePrograms {
  /// The payload in double precision: every float argument is f64. Its outputs
  /// are those of `plain` in order, floats as f64; when `scaled`, each float
  /// output is followed by its error scale, f64 of the same shape, and each
  /// integer output by what rounding could make of it: another value, or, for
  /// an index of two or more places, a byte for each result and each place.
  Program oracle;
  /// The yardstick: the payload's own types, with sums in blocks of 128 and the
  /// operands of products rounded as its numerics class (`plain.numerics`)
  /// says. For a payload of gpu.funcs it is the payload itself.
  Program plain;
  /// The kernels that draw inputs and measure errors; its plan is not run as it
  /// is, the judge makes plans of its own from the kernels.
  Program support;
  /// Whether `oracle` gives error scales. If not (gpu.func payloads), the judge
  /// takes |o| + rms(o).
  bool scaled = true;
};

/// Writes and reads oracle.ksp, plain.ksp and support.ksp in a folder that
/// exists. Errors name the file.
llvm::Error writeOracle(const OraclePrograms &programs,
                        llvm::StringRef directory);
llvm::Expected<OraclePrograms> readOracle(llvm::StringRef directory);

/// The buffers that a program gives back, as indices into its buffers: its
/// results, or, for a gpu.func payload, the arguments that it writes.
std::vector<uint32_t> outputsOf(const Program &program);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_ORACLEPROGRAMS_H
