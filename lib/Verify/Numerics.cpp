// The table of numerics classes. docs/verification.md explains the bounds.
#include "KernelSkill/Verify/Numerics.h"

using namespace kernelskill;

static constexpr NumericsClass kClasses[] = {
    {"strict", 1.5, 2, 1, "fp32, summed no worse than the yardstick"},
    {"fp32", 4, 4, 1, "fp32 in any order, in short chains"},
    {"bf16x3", 20, 20, 1, "products of fp32 split in three bf16 parts"},
    {"tf32", 4, 4, 8192, "operands of products rounded to tf32"},
    {"fp16", 4, 4, 8192, "operands of products rounded to fp16"},
    {"bf16", 4, 4, 65536, "operands of products rounded to bf16"},
    {"fast-math", 64, 64, 1, "approximate functions of the hardware"},
};

llvm::ArrayRef<NumericsClass> kernelskill::knownNumerics() { return kClasses; }

llvm::Expected<const NumericsClass *>
kernelskill::findNumerics(llvm::StringRef name) {
  std::string known;
  for (const NumericsClass &numerics : kClasses) {
    if (numerics.name == name)
      return &numerics;
    known += (known.empty() ? "" : ", ") + numerics.name.str();
  }
  return llvm::createStringError("unknown numerics class '" + name.str() +
                                 "'; known are " + known);
}
