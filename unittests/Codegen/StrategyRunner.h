// Runs a dispatch under a strategy on the CPU device, all accesses checked.
#ifndef KERNELSKILL_UNITTESTS_CODEGEN_STRATEGYRUNNER_H
#define KERNELSKILL_UNITTESTS_CODEGEN_STRATEGYRUNNER_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace kernelskill {

/// A tensor's type as MLIR writes it, and its values.
struct TestTensor {
  std::string type;
  std::vector<double> values;
};

/// "tensor<7x31xf32>".
std::string tensorType(llvm::ArrayRef<int64_t> shape, llvm::StringRef element);
/// Small integers of both signs, so that sums and products are exact.
TestTensor drawn(llvm::ArrayRef<int64_t> shape, llvm::StringRef element,
                 int64_t seed = 0);
/// "transform.kernelskill.<name> %d <knob> = <value> …", with the constants for
/// it.
std::string
strategy(llvm::StringRef name,
         llvm::ArrayRef<std::pair<const char *, int64_t>> knobs = {});

class StrategyRunner {
public:
  StrategyRunner();
  /// Runs the function `@d` whose text is given (arguments of the inputs'
  /// types) and returns its one result. Failures are reported to GoogleTest,
  /// and the result is empty then.
  std::vector<double> run(llvm::StringRef function, llvm::StringRef strategy,
                          llvm::ArrayRef<TestTensor> inputs,
                          llvm::StringRef resultType);

private:
  mlir::MLIRContext context;
};

} // namespace kernelskill

#endif // KERNELSKILL_UNITTESTS_CODEGEN_STRATEGYRUNNER_H
