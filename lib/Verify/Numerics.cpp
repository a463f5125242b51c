// The table of numerics classes. docs/verification.md explains the bounds.
#include "KernelSkill/Verify/Numerics.h"

#include <algorithm>

using namespace kernelskill;

// A product loses the roundoffs of its two operands: 2^-11 each in tf32 and
// fp16, 2^-8 in bf16. Split in high and low bf16 parts, it loses the product of
// the low parts and what the two splits leave: 2^-16 each.
static constexpr double kLoss11 = 2 * 0x1p-11 / 0x1p-24;
static constexpr double kLoss8 = 2 * 0x1p-8 / 0x1p-24;
static constexpr double kLossSplit = 3 * 0x1p-16 / 0x1p-24;

static constexpr NumericsClass kClasses[] = {
    {"strict", 1.5, 2, "", 0, "fp32, summed no worse than the yardstick"},
    {"fp32", 4, 4, "", 0, "fp32 in any order, in short chains"},
    {"bf16x3", 4, 4, "bf16x3", kLossSplit,
     "products of fp32 split in three bf16 products"},
    {"tf32", 4, 4, "tf32", kLoss11, "operands of products rounded to tf32"},
    {"fp16", 4, 4, "fp16", kLoss11, "operands of products rounded to fp16"},
    {"bf16", 4, 4, "bf16", kLoss8, "operands of products rounded to bf16"},
    {"fast-math", 64, 64, "", 0, "approximate functions of the hardware"},
};

double kernelskill::unitRoundoff(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 0x1p-11;
  case ElementType::BF16:
    return 0x1p-8;
  case ElementType::F32:
    return 0x1p-24;
  default:
    return 0x1p-53;
  }
}

static double bound(double factor, double loss, double yardstick,
                    ElementType type) {
  double unit = unitRoundoff(type);
  // Nothing that a class allows is coarser than the 16-bit types themselves;
  // computing in f64 is not what the classes loosen.
  if (unit > 0x1p-24)
    factor = std::min(factor, 4.0);
  if (type == ElementType::F64)
    loss = 0;
  return std::max(factor * std::max(yardstick, 1.0), loss * 0x1p-24 / unit);
}

double NumericsClass::normwiseBound(double yardstick, ElementType type) const {
  return bound(normwiseFactor, productLoss, yardstick, type);
}

double NumericsClass::componentwiseBound(double yardstick,
                                         ElementType type) const {
  return bound(componentwiseFactor, productLoss, yardstick, type);
}

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
