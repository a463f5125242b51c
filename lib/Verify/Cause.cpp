// The table of causes; see the header.
#include "Cause.h"

using namespace llvm;
using namespace kernelskill;

// All that is wrong lies at the end, and is not most of the output.
static bool isTail(int64_t first, int64_t last, uint64_t count,
                   uint64_t elements) {
  return first > 0 && last + 1 == static_cast<int64_t>(elements) &&
         count * 2 < elements &&
         count * 10 >= 9 * static_cast<uint64_t>(last - first + 1);
}

std::string kernelskill::causeOf(const Comparison &c, double normwise) {
  if (c.poisoned == c.elements)
    return "unwritten output";
  if (c.outside == 1 && c.elements > 1)
    return c.mismatches == 1 && c.poisoned == 0 ? "nan" : "single element";
  if (isTail(c.firstOutside, c.lastOutside, c.outside, c.elements))
    return "tail missing";
  if (c.poisoned > 0)
    return "unwritten output";
  if (c.zeros == c.elements && c.bothZero < c.elements)
    return "zeros";
  if (c.elements > 1 && c.least == c.greatest && c.mismatches == 0)
    return "constant";
  if (c.mismatches > 0)
    return "nan";
  // Few are far off and the others hide it in the norm: an edge, a halo.
  if (c.outside > 0 && c.outside * 20 < c.elements && c.worstRatio > 0x1p18)
    return "some elements";
  // Relative errors between those of long sums and those of bf16.
  if (normwise > 0x1p9 && normwise < 0x1p18)
    return "low precision";
  return normwise <= 0x1p9 ? "inaccurate" : "wrong values";
}

std::string kernelskill::causeOf(const IntegerComparison &c,
                                 uint64_t elements) {
  if (c.different == 1 && elements > 1)
    return "single element";
  return isTail(c.first, c.last, c.different, elements) ? "tail missing"
                                                        : "wrong values";
}

void kernelskill::describeFailure(Error error, Verdict &verdict) {
  FaultKind kind = FaultKind::Other;
  verdict.message.clear();
  handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        kind = fault.kind;
        verdict.message = fault.message;
      },
      [&](const ErrorInfoBase &other) { verdict.message = other.message(); });
  bool hangs = kind == FaultKind::Deadlock || kind == FaultKind::Timeout;
  verdict.kind = hangs ? VerdictKind::Hang : VerdictKind::Crash;
  switch (kind) {
  case FaultKind::OutOfBounds:
    verdict.cause = "out of bounds";
    break;
  case FaultKind::UnwrittenRead:
    verdict.cause = "unwritten read";
    break;
  case FaultKind::Race:
    // It ran to no end that says anything, but it did nothing forbidden.
    verdict.kind = VerdictKind::Wrong;
    verdict.cause = "race";
    break;
  case FaultKind::Deadlock:
    verdict.cause = "deadlock";
    break;
  case FaultKind::IllegalAccess:
    verdict.cause = "illegal access";
    break;
  case FaultKind::Timeout:
    verdict.cause = "timeout";
    break;
  case FaultKind::Trap:
    verdict.cause = "trap";
    break;
  case FaultKind::OutOfMemory:
    verdict.cause = "out of memory";
    break;
  default:
    verdict.cause = "device error";
  }
}
