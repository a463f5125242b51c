// What the judge says of a candidate, and its JSON form. No MLIR.
#ifndef KERNELSKILL_VERIFY_VERDICT_H
#define KERNELSKILL_VERIFY_VERDICT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace kernelskill {

/// Refused: the candidate's arguments or outputs are not the payload's, or the
/// device has no image for it. CompileError is set by who compiles, never by
/// the judge.
enum class VerdictKind : uint8_t {
  Right,
  Wrong,
  Crash,
  Hang,
  Refused,
  CompileError
};
/// "right", "wrong", "crash", "hang", "refused", "compile error".
llvm::StringRef verdictName(VerdictKind kind);
std::optional<VerdictKind> parseVerdictKind(llvm::StringRef name);

/// The two measures of one output over one family of inputs, in unit roundoffs
/// of the output's type: the candidate's, the yardstick's, and the bound that
/// the numerics class makes of the yardstick's. Integer outputs have only
/// `mismatches`.
struct MeasureRecord {
  std::string
      family; // "drawn", "normal", "positive", "heavy", "edge", "special"
  uint64_t seed = 0;
  uint32_t output = 0; // position among the outputs
  double normwise = 0, plainNormwise = 0, normwiseBound = 0;
  double componentwise = 0, plainComponentwise = 0, componentwiseBound = 0;
  /// Elements that are NaN or infinite where they must not be, or the other way
  /// round; for integers, elements that equal neither oracle nor yardstick.
  uint64_t mismatches = 0;
  /// The reference says little about the input: it is constant (zero variance),
  /// or so small that plain fp32 has not one digit of it right.
  bool vacuous = false;
};

/// The element that is farthest out of bounds.
struct WorstElement {
  std::string family;
  uint64_t seed = 0;
  uint32_t output = 0;
  std::string name;   // of the output's buffer
  uint64_t index = 0; // row-major
  std::vector<int64_t> position;
  double got = 0, expected = 0, plain = 0,
         allowed = 0; // allowed: |got - expected|
};

struct Verdict {
  VerdictKind kind = VerdictKind::Wrong;
  /// Why, as one of a closed list when it was recognised: "zeros", "constant",
  /// "stale output", "unwritten output", "nan", "tail missing", "single
  /// element", "some elements", "race", "edited input", "out of bounds",
  /// "cached result", "another input's result", "low precision", "inaccurate",
  /// "deadlock", "unwritten read", … Empty when right.
  std::string cause;
  /// One sentence for people.
  std::string message;
  std::string numerics; // the class it was judged by
  std::vector<MeasureRecord> measures;
  std::optional<WorstElement> worst;
  /// Families of inputs that were left out, since the oracle takes too long.
  std::vector<std::string> leftOut;
  /// All families gave a constant reference: "right" says little.
  bool vacuous = false;
  /// The device can't be used any more; the process must be started anew.
  bool deviceLost = false;

  bool right() const { return kind == VerdictKind::Right; }
};

/// NaN and infinities, which JSON lacks, are the strings "nan", "inf", "-inf".
llvm::json::Value toJSON(const Verdict &verdict);
llvm::Expected<Verdict> verdictFromJSON(const llvm::json::Value &value);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_VERDICT_H
