// Types of a program and its verifier: what every producer must keep and every
// consumer may rely on.
#include "KernelSkill/Runtime/Program.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;
using namespace kernelskill;

namespace {
constexpr struct {
  ElementType type;
  StringLiteral name;
  unsigned bytes;
} elementTypes[] = {
    {ElementType::I1, "i1", 1},     {ElementType::I8, "i8", 1},
    {ElementType::I16, "i16", 2},   {ElementType::I32, "i32", 4},
    {ElementType::I64, "i64", 8},   {ElementType::F16, "f16", 2},
    {ElementType::BF16, "bf16", 2}, {ElementType::F32, "f32", 4},
    {ElementType::F64, "f64", 8}};

constexpr uint32_t maxGrid[] = {0x7fffffff, 65535, 65535};
constexpr uint32_t maxBlock[] = {1024, 1024, 64};
constexpr uint32_t maxThreads = 1024;
constexpr uint64_t maxShared = 227 * 1024;
} // namespace

unsigned kernelskill::elementBytes(ElementType type) {
  return elementTypes[static_cast<unsigned>(type)].bytes;
}

StringRef kernelskill::elementName(ElementType type) {
  return elementTypes[static_cast<unsigned>(type)].name;
}

std::optional<ElementType> kernelskill::parseElementType(StringRef name) {
  for (const auto &entry : elementTypes)
    if (entry.name == name)
      return entry.type;
  return std::nullopt;
}

uint64_t BufferRecord::elements() const {
  uint64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

uint64_t BufferRecord::bytes() const { return elements() * elementBytes(type); }

const ImageRecord *Program::image(ImageRecord::Kind kind) const {
  for (const ImageRecord &image : images)
    if (image.kind == kind)
      return &image;
  return nullptr;
}

std::vector<uint32_t> Program::buffersOf(BufferKind kind) const {
  std::vector<uint32_t> indices;
  for (auto [index, buffer] : enumerate(buffers))
    if (buffer.kind == kind)
      indices.push_back(index);
  return indices;
}

static Error invalid(const Twine &message) {
  return createStringError("invalid program: " + message);
}

static Error verifyBuffer(const BufferRecord &buffer, size_t index) {
  std::string where =
      ("buffer " + Twine(index) + " ('" + buffer.name + "')").str();
  if (static_cast<unsigned>(buffer.type) >= std::size(elementTypes))
    return invalid(where + " has an unknown element type");
  // A product that overflows would make every later bounds check meaningless.
  uint64_t bytes = elementBytes(buffer.type);
  for (int64_t extent : buffer.shape) {
    std::optional<uint64_t> product =
        extent < 0 ? std::nullopt : checkedMulUnsigned<uint64_t>(bytes, extent);
    if (!product || *product > (uint64_t(1) << 62))
      return invalid(where + " has an impossible extent " + Twine(extent));
    bytes = *product;
  }
  if (buffer.kind == BufferKind::Constant && buffer.data.size() != bytes)
    return invalid(where + " is a constant of " + Twine(bytes) +
                   " bytes, but holds " + Twine(buffer.data.size()));
  if (buffer.kind != BufferKind::Constant && !buffer.data.empty())
    return invalid(where + " holds data, but is not a constant");
  bool isArgument = buffer.kind == BufferKind::Argument;
  if (buffer.written && !isArgument)
    return invalid(where + " is marked written, but is not an argument");
  bool isResult = buffer.kind == BufferKind::Result;
  if (!StringSwitch<bool>(buffer.role)
           .Case("", !isArgument)
           .Case("buffer", isArgument || isResult)
           .Cases({"input", "parameter", "random"}, isArgument)
           .Default(false))
    return invalid(where + " has role '" + buffer.role + "', expected " +
                   (isArgument ? "input, parameter, buffer or random"
                    : isResult ? "buffer or none"
                               : "none"));
  if (!StringSwitch<bool>(buffer.draw.draw)
           .Cases({"uniform", "normal", "zeros", "ones", "integer", "dropout"},
                  true)
           .Default(false))
    return invalid(where + " has unknown draw '" + buffer.draw.draw + "'");
  if (!std::isfinite(buffer.draw.scale) || !std::isfinite(buffer.draw.shift))
    return invalid(where + " has a draw that is not finite");
  return Error::success();
}

/// `needed` bytes from the argument's offset must lie inside its buffer.
static Error verifyAddress(const Program &program,
                           const LaunchArgument &argument, uint64_t needed,
                           const Twine &where) {
  if (argument.buffer < 0 ||
      static_cast<size_t>(argument.buffer) >= program.buffers.size())
    return invalid(where + " names buffer " + Twine(argument.buffer) + " of " +
                   Twine(program.buffers.size()));
  uint64_t bytes = program.buffers[argument.buffer].bytes();
  if (argument.byteOffset > bytes || needed > bytes - argument.byteOffset)
    return invalid(where + " reaches byte " + Twine(argument.byteOffset) +
                   " + " + Twine(needed) + " of buffer " +
                   Twine(argument.buffer) + ", which has " + Twine(bytes));
  return Error::success();
}

static Error verifyLaunch(const Program &program, const StepRecord &step,
                          const std::string &where) {
  if (step.kernel >= program.kernels.size())
    return invalid(where + " launches kernel " + Twine(step.kernel) + " of " +
                   Twine(program.kernels.size()));
  const KernelRecord &kernel = program.kernels[step.kernel];
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (step.grid[axis] < 1 || step.grid[axis] > maxGrid[axis])
      return invalid(where + " has grid extent " + Twine(step.grid[axis]) +
                     " on axis " + Twine(axis) + ", allowed are 1 to " +
                     Twine(maxGrid[axis]));
    if (step.block[axis] < 1 || step.block[axis] > maxBlock[axis])
      return invalid(where + " has block extent " + Twine(step.block[axis]) +
                     " on axis " + Twine(axis) + ", allowed are 1 to " +
                     Twine(maxBlock[axis]));
    threads *= step.block[axis];
  }
  if (threads > maxThreads)
    return invalid(where + " has " + Twine(threads) +
                   " threads a block, at most " + Twine(maxThreads) +
                   " are allowed");
  uint64_t shared = uint64_t(kernel.staticShared) + step.dynamicShared;
  if (shared > maxShared)
    return invalid(where + " needs " + Twine(shared) +
                   " bytes of shared memory, at most " + Twine(maxShared) +
                   " are allowed");
  for (auto [index, argument] : enumerate(step.arguments)) {
    std::string name = where + " argument " + std::to_string(index);
    if (argument.buffer == -1) {
      if (argument.size != 1 && argument.size != 2 && argument.size != 4 &&
          argument.size != 8)
        return invalid(name + " is a scalar of " +
                       Twine(unsigned(argument.size)) +
                       " bytes, expected 1, 2, 4 or 8");
      continue;
    }
    if (Error error = verifyAddress(program, argument, 0, name))
      return error;
  }
  return Error::success();
}

Error kernelskill::verifyProgram(const Program &program) {
  for (auto [index, buffer] : enumerate(program.buffers))
    if (Error error = verifyBuffer(buffer, index))
      return error;
  StringSet<> names;
  for (const KernelRecord &kernel : program.kernels)
    if (kernel.name.empty() || !names.insert(kernel.name).second)
      return invalid("kernel name '" + kernel.name +
                     "' is empty or used twice");
  for (auto [index, step] : enumerate(program.steps)) {
    std::string where = "step " + std::to_string(index);
    if (step.kind == StepRecord::Kind::Launch) {
      if (Error error = verifyLaunch(program, step, where))
        return error;
      continue;
    }
    if (Error error =
            verifyAddress(program, step.source, step.bytes, where + " source"))
      return error;
    if (Error error = verifyAddress(program, step.destination, step.bytes,
                                    where + " destination"))
      return error;
  }
  return Error::success();
}
