// What oracle and yardstick say for a set of inputs, kept while memory allows.
#ifndef KERNELSKILL_LIB_VERIFY_REFERENCES_H
#define KERNELSKILL_LIB_VERIFY_REFERENCES_H

#include "DeviceBuffer.h"
#include "InputFamilies.h"

#include "KernelSkill/Verify/OraclePrograms.h"

#include <deque>

namespace kernelskill {

struct OutputReference {
  ElementType type = ElementType::F32; // the payload's
  uint64_t elements = 0;
  /// Of a float: f64, f64, `type`; of an integer all of `type`, and in place of
  /// the scale what rounding could make of it: another value, or, of an index,
  /// a byte for each element and each of its `choices`.
  DeviceBuffer oracle, scale, plain;
  uint64_t choices = 0;
  /// The yardstick's measures, in roundoffs of `type`.
  double normwise = 0, componentwise = 0;
  /// What another right program's measures come to by chance: the normwise one,
  /// and the componentwise one where there are very few elements.
  double byChance = 0, elementByChance = 0;
  bool vacuous = false;
};

struct Reference {
  InputSet inputs;
  std::vector<OutputReference> outputs;
  uint64_t bytes() const;
};

/// ||y - o|| / ||o|| in roundoffs. Infinite where only o is zero.
double normwiseOf(const Comparison &comparison, ElementType type);

class References {
public:
  References(Device &device, SupportKernels &support,
             const OraclePrograms &programs)
      : device(device), support(support), programs(programs) {}

  /// The reference for inputs that `arguments` hold, in the payload's order and
  /// types. Valid until the next call.
  llvm::Expected<const Reference *> get(const InputSet &inputs,
                                        llvm::ArrayRef<DeviceAddress> arguments,
                                        double seconds);
  /// A reference that is still kept, or null.
  const Reference *find(const InputSet &inputs) const;
  void drop() { kept.clear(); }

private:
  llvm::Expected<Reference> compute(const InputSet &inputs,
                                    llvm::ArrayRef<DeviceAddress> arguments);
  llvm::Error runOracle(Reference &reference,
                        llvm::ArrayRef<DeviceAddress> arguments);
  llvm::Error runPlain(Reference &reference,
                       llvm::ArrayRef<DeviceAddress> arguments);
  llvm::Error measure(OutputReference &output);
  llvm::Error run(const Program &program,
                  std::unique_ptr<LoadedProgram> &loaded,
                  llvm::ArrayRef<DeviceAddress> arguments,
                  llvm::ArrayRef<DeviceAddress> results, llvm::StringRef what);
  double blocksOf(const OutputReference &output) const;
  uint64_t budget() const;

  Device &device;
  SupportKernels &support;
  const OraclePrograms &programs;
  std::unique_ptr<LoadedProgram> oracle, plain;
  std::deque<Reference> kept; // the oldest first
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_VERIFY_REFERENCES_H
