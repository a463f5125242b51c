// The functions that CPU images may call. A table and not dlsym: it is the same
// in a static executable, and nothing else of this process can be called.
#include "CpuImage.h"

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace kernelskill;

//===-- What LLVM calls for half precision --------------------------------===//

// Where the processor has no conversion instruction, LLVM calls functions that
// not every compiler's support library has. So here they are, by their bits.

/// Rounds a double to a binary format of `exponentBits` and `mantissaBits`, to
/// nearest, ties to even. Going through double loses nothing of a float.
static uint16_t narrow(double value, unsigned exponentBits,
                       unsigned mantissaBits) {
  auto bits = llvm::bit_cast<uint64_t>(value);
  uint16_t sign = bits >> 63 << 15;
  uint64_t magnitude = bits & ~(uint64_t(1) << 63);
  uint16_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  if (magnitude > (uint64_t(0x7ff) << 52)) // a quiet NaN with its payload's top
    return sign | infinity | 1u << (mantissaBits - 1) |
           ((magnitude >> (52 - mantissaBits)) & ((1u << mantissaBits) - 1));
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = int(magnitude >> 52) - 1023 + bias;
  if (exponent >= (1 << exponentBits) - 1)
    return sign | infinity;
  uint64_t mantissa = magnitude & ((uint64_t(1) << 52) - 1);
  unsigned dropped = 52 - mantissaBits;
  if (exponent <= 0) { // subnormal: the leading one becomes explicit
    if (exponent < -int(mantissaBits))
      return sign;
    mantissa |= uint64_t(1) << 52;
    dropped += 1 - exponent;
    exponent = 0;
  }
  uint64_t kept = (uint64_t(exponent) << mantissaBits) + (mantissa >> dropped);
  uint64_t rest = mantissa & ((uint64_t(1) << dropped) - 1);
  uint64_t half = uint64_t(1) << (dropped - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept; // may carry into the exponent, and to infinity: both are right
  return sign | uint16_t(kept);
}

static float widenHalf(uint16_t half) {
  uint32_t sign = uint32_t(half & 0x8000) << 16;
  uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 31)
    return llvm::bit_cast<float>(sign | 0x7f800000 | mantissa << 13 |
                                 (mantissa ? 1u << 22 : 0));
  if (exponent == 0)
    return std::copysign(std::ldexp(float(mantissa), -24),
                         llvm::bit_cast<float>(sign | 0x3f800000));
  return llvm::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

// _Float16 and __bf16 travel in vector registers, so the types matter.
static _Float16 truncateToHalf(double value) {
  return llvm::bit_cast<_Float16>(narrow(value, 5, 10));
}
static _Float16 truncateFloatToHalf(float value) {
  return truncateToHalf(value);
}
static float extendHalf(_Float16 value) {
  return widenHalf(llvm::bit_cast<uint16_t>(value));
}
static __bf16 truncateToBrain(double value) {
  return llvm::bit_cast<__bf16>(narrow(value, 8, 7));
}
static __bf16 truncateFloatToBrain(float value) {
  return truncateToBrain(value);
}

//===-- The table ---------------------------------------------------------===//

extern "C" {
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
float __powisf2(float, int);
double __powidf2(double, int);
}

template <typename Function>
static CpuSymbol symbol(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

#define SYMBOL(name) symbol(#name, &::name)
// A function of <cmath> on one or more floating-point numbers, in both widths.
#define UNARY(name)                                                            \
  symbol(#name, static_cast<double (*)(double)>(&::name)),                     \
      symbol(#name "f", static_cast<float (*)(float)>(&::name##f))
#define BINARY(name)                                                           \
  symbol(#name, static_cast<double (*)(double, double)>(&::name)),             \
      symbol(#name "f", static_cast<float (*)(float, float)>(&::name##f))

ArrayRef<CpuSymbol> kernelskill::cpuSymbols() {
  static const CpuSymbol table[] = {
      SYMBOL(ks_cpu_load),
      SYMBOL(ks_cpu_store),
      SYMBOL(ks_cpu_atomic),
      SYMBOL(ks_cpu_barrier),
      SYMBOL(ks_cpu_syncwarp),
      SYMBOL(ks_cpu_shuffle),
      SYMBOL(ks_cpu_vote),
      SYMBOL(ks_cpu_trap),
      UNARY(acos),
      UNARY(acosh),
      UNARY(asin),
      UNARY(asinh),
      UNARY(atan),
      UNARY(atanh),
      UNARY(cbrt),
      UNARY(ceil),
      UNARY(cos),
      UNARY(cosh),
      UNARY(erf),
      UNARY(erfc),
      UNARY(exp),
      UNARY(exp2),
      UNARY(expm1),
      UNARY(fabs),
      UNARY(floor),
      UNARY(lgamma),
      UNARY(log),
      UNARY(log10),
      UNARY(log1p),
      UNARY(log2),
      UNARY(nearbyint),
      UNARY(rint),
      UNARY(round),
      UNARY(roundeven),
      UNARY(exp10),
      UNARY(sin),
      UNARY(sinh),
      UNARY(sqrt),
      UNARY(tan),
      UNARY(tanh),
      UNARY(tgamma),
      UNARY(trunc),
      BINARY(atan2),
      BINARY(copysign),
      BINARY(fdim),
      BINARY(fmax),
      BINARY(fmin),
      BINARY(fmod),
      BINARY(hypot),
      BINARY(pow),
      BINARY(remainder),
      symbol("fma", static_cast<double (*)(double, double, double)>(&::fma)),
      symbol("fmaf", static_cast<float (*)(float, float, float)>(&::fmaf)),
      symbol("ldexp", static_cast<double (*)(double, int)>(&::ldexp)),
      symbol("ldexpf", static_cast<float (*)(float, int)>(&::ldexpf)),
      symbol("frexp", static_cast<double (*)(double, int *)>(&::frexp)),
      symbol("frexpf", static_cast<float (*)(float, int *)>(&::frexpf)),
      SYMBOL(sincos),
      SYMBOL(sincosf),
      symbol("memcpy", &::memcpy),
      symbol("memmove", &::memmove),
      symbol("memset", &::memset),
      symbol("memcmp", &::memcmp),
      SYMBOL(__divti3),
      SYMBOL(__modti3),
      SYMBOL(__udivti3),
      SYMBOL(__umodti3),
      SYMBOL(__powisf2),
      SYMBOL(__powidf2),
      symbol("__truncdfhf2", &truncateToHalf),
      symbol("__truncsfhf2", &truncateFloatToHalf),
      symbol("__gnu_f2h_ieee", &truncateFloatToHalf),
      symbol("__extendhfsf2", &extendHalf),
      symbol("__gnu_h2f_ieee", &extendHalf),
      symbol("__truncdfbf2", &truncateToBrain),
      symbol("__truncsfbf2", &truncateFloatToBrain)};
  return table;
}
