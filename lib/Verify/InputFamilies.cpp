// The table of input families; see the header and docs/verification.md.
#include "InputFamilies.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace kernelskill;

static std::optional<DrawKind> kindOfFamily(StringRef family) {
  return StringSwitch<std::optional<DrawKind>>(family)
      .Case("normal", DrawKind::Normal)
      .Case("positive", DrawKind::Uniform)
      .Case("heavy", DrawKind::Heavy)
      .Case("edge", DrawKind::Edge)
      .Case("special", DrawKind::Special)
      .Default(std::nullopt);
}

bool kernelskill::isKnownFamily(StringRef family) {
  return family == "drawn" || kindOfFamily(family);
}

static Draw asDrawn(const DrawRecord &record) {
  Draw draw;
  draw.kind = StringSwitch<DrawKind>(record.draw)
                  .Case("uniform", DrawKind::Uniform)
                  .Case("zeros", DrawKind::Zeros)
                  .Case("ones", DrawKind::Ones)
                  .Case("integer", DrawKind::Integer)
                  .Case("dropout", DrawKind::Dropout)
                  .Default(DrawKind::Normal);
  draw.scale = record.scale;
  draw.shift = record.shift;
  return draw;
}

Draw kernelskill::drawOf(const BufferRecord &buffer, StringRef family) {
  Draw drawn = asDrawn(buffer.draw);
  if (buffer.type == ElementType::I1)
    return {DrawKind::Integer, 2, 0};
  std::optional<DrawKind> kind = kindOfFamily(family);
  if (!kind || !isFloat(buffer.type))
    return drawn;
  // Products of f16 numbers must not all be infinite.
  double greatest = buffer.type == ElementType::F16 ? 32 : 4096;
  if (buffer.role == "input")
    return {*kind, 1, 0, greatest};
  // Parameters and buffers that a program starts with zeros and ones have other
  // values once it is trained: no candidate may rely on them. Ones stay
  // positive (variances).
  if (family == "normal" && drawn.kind == DrawKind::Zeros)
    return {DrawKind::Normal, 0.5, 0};
  if (family == "normal" && drawn.kind == DrawKind::Ones)
    return {DrawKind::Uniform, 1, 0.5};
  return drawn;
}

uint64_t kernelskill::seedOf(const InputSet &inputs, size_t position) {
  std::string text = inputs.family + "/" + std::to_string(inputs.seed) + "/" +
                     std::to_string(position);
  return xxh3_64bits(text) >> 16;
}
