// The judge: runs a candidate and says whether it is right. No MLIR: it works
// on programs and a device, in the process that holds the device.
//
//   auto judge = Judge::create(device, std::move(programs));
//   auto verdict = (*judge)->judge(candidate, options);
//
// For each family of inputs: draws them, has the oracle and the yardstick run
// (kept for the next candidate while memory allows), poisons the candidate's
// outputs, runs it, and checks guards, inputs and outputs.
#ifndef KERNELSKILL_VERIFY_JUDGE_H
#define KERNELSKILL_VERIFY_JUDGE_H

#include "KernelSkill/Runtime/Device.h"
#include "KernelSkill/Verify/OraclePrograms.h"
#include "KernelSkill/Verify/Verdict.h"

#include <functional>

namespace kernelskill {

struct JudgeOptions {
  std::string numerics = "fp32"; // see Numerics.h
  uint64_t seed = 1;             // of the first family; all others follow
  /// How often the inputs are drawn as the program draws them.
  unsigned drawnSeeds = 2;
  /// Families besides "drawn"; a subset of normal, positive, heavy, edge,
  /// special (infinities and NaN among normal values).
  std::vector<std::string> families = {"normal", "positive", "heavy", "edge",
                                       "special"};
  /// Seconds that one run of the candidate may take, and of the oracle.
  double candidateSeconds = 10, oracleSeconds = 300;
  /// Seconds for the oracle and yardstick of all families together. Where the
  /// first family shows that more are needed, those at the end of `drawn`,
  /// normal, special, edge, heavy, positive, `drawn` again are left out, but
  /// never the first two; the verdict lists them.
  double referenceSeconds = 20;
  /// Goes on after the first family that is wrong, to fill all measures.
  bool allFamilies = false;
  /// Called with the family that starts; may be null.
  std::function<void(llvm::StringRef)> progress;
};

class Judge {
public:
  /// Loads the support kernels. The device must outlive the judge.
  static llvm::Expected<std::unique_ptr<Judge>> create(Device &device,
                                                       OraclePrograms programs);
  virtual ~Judge() = default;

  /// The verdict on a candidate. What the candidate does wrong is in the
  /// verdict; an error means that the judge itself could not work: the oracle
  /// or the yardstick failed, memory is short, the device is lost before the
  /// candidate ran.
  virtual llvm::Expected<Verdict> judge(const Program &candidate,
                                        const JudgeOptions &options) = 0;

  /// Draws the arguments of one family into new device buffers, in the order of
  /// the candidate's argument buffers, followed by poisoned results. For timing
  /// with the judge's own inputs; the caller owns and releases the addresses.
  struct Arguments {
    std::vector<DeviceAddress> arguments, results;
  };
  virtual llvm::Expected<Arguments>
  draw(const Program &candidate, llvm::StringRef family, uint64_t seed) = 0;
  /// Frees what is kept between candidates (references).
  virtual void dropReferences() = 0;
};

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_JUDGE_H
