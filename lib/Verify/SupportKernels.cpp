// Plans of one launch each for the support kernels; see the header.
#include "SupportKernels.h"

#include "KernelSkill/Verify/Numerics.h"

using namespace llvm;
using namespace kernelskill;

// Words of %p, and of one thread's partial results.
static constexpr unsigned kNumbers = 16, kPartials = 20;

bool kernelskill::isFloat(ElementType type) { return type >= ElementType::F16; }

double kernelskill::leastError(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 0x1p-14;
  case ElementType::BF16:
  case ElementType::F32:
    return 0x1p-126;
  default:
    return 0x1p-1022;
  }
}

// The kernels' number of a type, or -1.
static int typeNumber(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return 0;
  case ElementType::F64:
    return 1;
  case ElementType::I1:
  case ElementType::I8:
    return 2;
  case ElementType::I32:
    return 3;
  case ElementType::I64:
    return 4;
  default:
    return -1;
  }
}

// The number of a type of 16 bits in the kernels that convert those, or -1. All
// other kernels work on what they make of it: f64 or i32, and f32 for a draw.
static int narrowNumber(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return 0;
  case ElementType::BF16:
    return 1;
  case ElementType::I16:
    return 2;
  default:
    return -1;
  }
}

bool SupportKernels::supports(ElementType type) {
  return typeNumber(type) >= 0 || narrowNumber(type) >= 0;
}

static uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// A plan of one launch; every buffer is an argument, and the device checks only
// that there is some memory behind it.
static Program planOf(const Program &support, const StepRecord &launch) {
  Program plan;
  plan.producer = support.producer;
  plan.kernels = support.kernels;
  plan.images = support.images;
  StepRecord step;
  step.kernel = launch.kernel;
  step.grid = launch.grid;
  step.block = launch.block;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    BufferRecord buffer;
    buffer.name = "b" + std::to_string(i);
    buffer.kind = BufferKind::Argument;
    buffer.type = ElementType::I8;
    buffer.shape = {1};
    buffer.role = "input";
    plan.buffers.push_back(buffer);
    LaunchArgument argument;
    argument.buffer = i;
    step.arguments.push_back(argument);
  }
  plan.steps = {step};
  return plan;
}

Expected<std::unique_ptr<SupportKernels>>
SupportKernels::create(Device &device, const Program &support) {
  std::unique_ptr<SupportKernels> result(new SupportKernels(device));
  if (Error error = result->load(support))
    return std::move(error);
  return result;
}

Error SupportKernels::load(const Program &support) {
  for (const StepRecord &step : support.steps) {
    if (step.kind != StepRecord::Kind::Launch)
      continue;
    // All arguments of these kernels are buffers, all launches of one size.
    blocks = step.grid[0];
    threads = step.block[0];
    Expected<std::unique_ptr<LoadedProgram>> loaded =
        device.load(planOf(support, step));
    if (!loaded)
      return loaded.takeError();
    kernels[support.kernels[step.kernel].name] = std::move(*loaded);
  }
  Expected<DeviceAddress> memory = device.allocate(kNumbers * 8);
  if (!memory)
    return memory.takeError();
  numbers = *memory;
  memory = device.allocate(uint64_t(blocks) * threads * kPartials * 8);
  if (!memory)
    return memory.takeError();
  partials = *memory;
  return Error::success();
}

SupportKernels::~SupportKernels() {
  if (numbers)
    device.release(numbers);
  if (partials)
    device.release(partials);
}

Error SupportKernels::launch(StringRef kernel, ArrayRef<uint64_t> values,
                             ArrayRef<DeviceAddress> buffers) {
  auto found = kernels.find(kernel.str());
  if (found == kernels.end())
    return createStringError("the support program lacks the kernel '" + kernel +
                             "'; build it again");
  uint64_t words[kNumbers] = {};
  copy(values, words);
  if (Error error = device.copyToDevice(numbers, words, sizeof(words)))
    return error;
  std::vector<DeviceAddress> arguments = {numbers};
  arguments.insert(arguments.end(), buffers.begin(), buffers.end());
  return found->second->run(arguments, {});
}

Expected<std::vector<double>> SupportKernels::readPartials() {
  std::vector<double> values(size_t(blocks) * threads * kPartials);
  if (Error error = device.copyFromDevice(values.data(), partials,
                                          values.size() * sizeof(double)))
    return std::move(error);
  return values;
}

Error SupportKernels::fill(DeviceAddress to, ElementType type,
                           uint64_t elements, uint64_t seed, const Draw &draw) {
  if (int number = narrowNumber(type); number >= 0) {
    Expected<DeviceBuffer> drawn = DeviceBuffer::allocate(device, elements * 4);
    if (!drawn)
      return drawn.takeError();
    DeviceAddress wide = drawn->address();
    ElementType drawnType = isFloat(type) ? ElementType::F32 : ElementType::I32;
    if (Error error = fill(wide, drawnType, elements, seed, draw))
      return error;
    return launch("ks_narrow16", {elements, static_cast<uint64_t>(number)},
                  {wide, wide, to, to, to});
  }
  // Adding -0 keeps the sign of a zero.
  double shift = draw.shift == 0 ? -0.0 : draw.shift;
  return launch("ks_fill",
                {elements, seed, static_cast<uint64_t>(draw.kind),
                 static_cast<uint64_t>(typeNumber(type)), bitsOf(draw.scale),
                 bitsOf(shift), bitsOf(draw.greatest)},
                {to, to, to, to, to});
}

Error SupportKernels::widen(ElementType type, DeviceAddress from,
                            DeviceAddress to, uint64_t elements) {
  if (int number = narrowNumber(type); number >= 0)
    return launch("ks_widen16", {elements, static_cast<uint64_t>(number)},
                  {from, from, from, to, to});
  return launch("ks_widen", {elements}, {from, to});
}

// The elements of a type of 16 bits in a buffer of their own; else where they
// are.
Expected<DeviceAddress> SupportKernels::widened(ElementType type,
                                                DeviceAddress from,
                                                uint64_t elements,
                                                DeviceBuffer &owner) {
  if (narrowNumber(type) < 0)
    return from;
  Expected<DeviceBuffer> buffer =
      DeviceBuffer::allocate(device, elements * (isFloat(type) ? 8 : 4));
  if (!buffer)
    return buffer.takeError();
  owner = std::move(*buffer);
  if (Error error = widen(type, from, owner.address(), elements))
    return std::move(error);
  return owner.address();
}

Error SupportKernels::scale(DeviceAddress oracle, DeviceAddress to,
                            uint64_t elements, double rms) {
  return launch("ks_scale", {elements, bitsOf(rms)}, {oracle, to});
}

// Joins an index of one thread: the first or the last of all.
static void joinFirst(int64_t &first, double index) {
  if (index >= 0 && (first < 0 || index < first))
    first = static_cast<int64_t>(index);
}

Expected<Comparison>
SupportKernels::compare(ElementType type, DeviceAddress candidate,
                        DeviceAddress plain, DeviceAddress oracle,
                        DeviceAddress scale, uint64_t elements, double bound) {
  DeviceBuffer wideCandidate, widePlain;
  Expected<DeviceAddress> y = widened(type, candidate, elements, wideCandidate);
  if (!y)
    return y.takeError();
  Expected<DeviceAddress> q = widened(type, plain, elements, widePlain);
  if (!q)
    return q.takeError();
  ElementType compared = type == ElementType::F32 ? type : ElementType::F64;
  if (Error error = launch(
          "ks_compare",
          {elements, static_cast<uint64_t>(typeNumber(compared)),
           bitsOf(unitRoundoff(type)), bitsOf(leastError(type)), bitsOf(bound)},
          {*y, *y, *q, *q, oracle, scale, partials}))
    return std::move(error);
  Expected<std::vector<double>> values = readPartials();
  if (!values)
    return values.takeError();
  Comparison total;
  total.elements = elements;
  total.least = std::numeric_limits<double>::infinity();
  total.greatest = -total.least;
  for (size_t at = 0; at < values->size(); at += kPartials) {
    const double *part = values->data() + at;
    total.squaredError += part[0];
    total.squaredOracle += part[1];
    total.sumOracle += part[2];
    if (part[3] > total.worstRatio) {
      total.worstRatio = part[3];
      total.worstIndex = static_cast<int64_t>(part[4]);
    }
    total.mismatches += static_cast<uint64_t>(part[5]);
    joinFirst(total.firstMismatch, part[6]);
    total.counted += static_cast<uint64_t>(part[7]);
    total.zeros += static_cast<uint64_t>(part[8]);
    total.poisoned += static_cast<uint64_t>(part[9]);
    total.least = std::fmin(total.least, part[10]);
    total.greatest = std::fmax(total.greatest, part[11]);
    total.outside += static_cast<uint64_t>(part[12]);
    joinFirst(total.firstOutside, part[13]);
    total.lastOutside =
        std::max(total.lastOutside, static_cast<int64_t>(part[14]));
    total.bothZero += static_cast<uint64_t>(part[15]);
    total.squaredScale += part[16];
    total.squaredRatio += part[17];
    total.fourthScale += part[18];
    total.scaled += static_cast<uint64_t>(part[19]);
  }
  return total;
}

Expected<IntegerComparison>
SupportKernels::compareIntegers(ElementType type, DeviceAddress candidate,
                                DeviceAddress oracle, DeviceAddress plain,
                                DeviceAddress other, uint64_t elements,
                                uint64_t choices) {
  DeviceBuffer wide[4];
  DeviceAddress sides[4] = {candidate, oracle, plain, choices ? oracle : other};
  for (auto [side, owner] : zip_equal(sides, wide)) {
    Expected<DeviceAddress> at = widened(type, side, elements, owner);
    if (!at)
      return at.takeError();
    side = *at;
  }
  ElementType compared = type == ElementType::I16 ? ElementType::I32 : type;
  auto [y, o, q, a] = sides;
  if (Error error = launch(
          "ks_compare_integer",
          {elements, static_cast<uint64_t>(typeNumber(compared)), choices},
          {y, y, y, o, o, o, q, q, q, a, a, a, other, partials}))
    return std::move(error);
  Expected<std::vector<double>> values = readPartials();
  if (!values)
    return values.takeError();
  IntegerComparison total;
  for (size_t at = 0; at < values->size(); at += kPartials) {
    const double *part = values->data() + at;
    total.different += static_cast<uint64_t>(part[0]);
    joinFirst(total.first, part[1]);
    total.last = std::max(total.last, static_cast<int64_t>(part[2]));
  }
  return total;
}

Expected<IntegerComparison>
SupportKernels::compareBytes(DeviceAddress a, DeviceAddress b, uint64_t bytes) {
  ElementType word = bytes % 8 == 0   ? ElementType::I64
                     : bytes % 4 == 0 ? ElementType::I32
                                      : ElementType::I8;
  return compareIntegers(word, a, b, b, b, bytes / elementBytes(word));
}
