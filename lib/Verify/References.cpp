// Running oracle and yardstick; see the header.
#include "References.h"

#include "KernelSkill/Verify/Numerics.h"

using namespace llvm;
using namespace kernelskill;

// The norm over a few elements, or over many of which a few are much larger, is
// luck: one run of the yardstick may be all but exact where another good order
// of the same sum is not. So the yardstick is taken to lose of the norm of the
// scales what it loses of the scale of one element, root mean square. Few
// elements do not tell that well either, and very few not at all. Then it is
// what a sum in blocks of 128 loses: the sum s of the first k of n numbers of
// random signs has the size sqrt(k), and adding to it loses 0.42 roundoffs of
// that, root mean square; together 0.3 n, of a scale of 0.8 n. Of several
// blocks the losses add as squares, the scales as they are. Where one number is
// much larger than all others and comes early, each further addition loses 0.42
// roundoffs of that: 0.42 sqrt(128) of the scale, which the yardstick may be
// spared and another right order may not.
static constexpr uint64_t kFewElements = 256, kVeryFewElements = 16;
static constexpr double kLeastLoss = 0.05, kLossOfBlock = 0.3, kBlock = 128,
                        kLossBehindLargest = 4.75;

uint64_t Reference::bytes() const {
  uint64_t total = 0;
  for (const OutputReference &output : outputs)
    total +=
        output.oracle.bytes() + output.scale.bytes() + output.plain.bytes();
  return total;
}

double kernelskill::normwiseOf(const Comparison &comparison, ElementType type) {
  if (comparison.squaredError == 0)
    return 0;
  return std::sqrt(comparison.squaredError / comparison.squaredOracle) /
         unitRoundoff(type);
}

// Memory for references that are kept: a third of the device, and of a CPU
// device little, since it shares the machine.
uint64_t References::budget() const {
  uint64_t total = device.properties().memoryBytes;
  if (device.properties().kind == "cpu")
    return std::min<uint64_t>(total / 8, uint64_t(2) << 30);
  return total / 3;
}

const Reference *References::find(const InputSet &inputs) const {
  for (const Reference &reference : kept)
    if (reference.inputs == inputs)
      return &reference;
  return nullptr;
}

Expected<const Reference *> References::get(const InputSet &inputs,
                                            ArrayRef<DeviceAddress> arguments,
                                            double seconds) {
  if (const Reference *found = find(inputs))
    return found;
  device.setTimeLimit(seconds);
  // All references of a payload have one size: make room before the next.
  if (!kept.empty() && kept.front().bytes() * (kept.size() + 1) > budget())
    kept.pop_front();
  Expected<Reference> reference = compute(inputs, arguments);
  if (!reference && !kept.empty()) {
    consumeError(reference.takeError());
    kept.clear();
    reference = compute(inputs, arguments);
  }
  if (!reference)
    return reference.takeError();
  kept.push_back(std::move(*reference));
  return &kept.back();
}

static Error allocate(Device &device, DeviceBuffer &buffer, uint64_t bytes) {
  Expected<DeviceBuffer> allocated = DeviceBuffer::allocate(device, bytes);
  if (!allocated)
    return allocated.takeError();
  buffer = std::move(*allocated);
  return Error::success();
}

Expected<Reference> References::compute(const InputSet &inputs,
                                        ArrayRef<DeviceAddress> arguments) {
  Reference reference;
  reference.inputs = inputs;
  for (uint32_t index : outputsOf(programs.plain)) {
    reference.outputs.emplace_back();
    reference.outputs.back().type = programs.plain.buffers[index].type;
    reference.outputs.back().elements =
        programs.plain.buffers[index].elements();
  }
  if (Error error = runOracle(reference, arguments))
    return std::move(error);
  if (Error error = runPlain(reference, arguments))
    return std::move(error);
  for (OutputReference &output : reference.outputs)
    if (isFloat(output.type))
      if (Error error = measure(output))
        return std::move(error);
  return reference;
}

Error References::run(const Program &program,
                      std::unique_ptr<LoadedProgram> &loaded,
                      ArrayRef<DeviceAddress> arguments,
                      ArrayRef<DeviceAddress> results, StringRef what) {
  if (!loaded) {
    Expected<std::unique_ptr<LoadedProgram>> made = device.load(program);
    if (!made)
      return made.takeError();
    loaded = std::move(*made);
  }
  Error error = loaded->run(arguments, results);
  // Large temporaries are given back before the next program needs memory.
  uint64_t temporaries = 0;
  for (uint32_t index : program.buffersOf(BufferKind::Temporary))
    temporaries += program.buffers[index].bytes();
  if (temporaries > budget() / 8)
    loaded.reset();
  if (!error)
    return Error::success();
  return createStringError("the " + what +
                           " failed: " + toString(std::move(error)));
}

Error References::runOracle(Reference &reference,
                            ArrayRef<DeviceAddress> arguments) {
  std::vector<uint32_t> inputs = programs.plain.buffersOf(BufferKind::Argument);
  std::vector<uint32_t> wideInputs =
      programs.oracle.buffersOf(BufferKind::Argument);
  std::vector<DeviceBuffer> owned(inputs.size());
  std::vector<DeviceAddress> wide, results;
  size_t written = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const BufferRecord &buffer = programs.plain.buffers[inputs[i]];
    const BufferRecord &wideBuffer = programs.oracle.buffers[wideInputs[i]];
    bool widen = buffer.type != wideBuffer.type;
    if (!widen && !buffer.written) {
      wide.push_back(arguments[i]);
      continue;
    }
    if (Error error = allocate(device, owned[i], wideBuffer.bytes()))
      return error;
    wide.push_back(owned[i].address());
    if (Error error = widen
                          ? support.widen(buffer.type, arguments[i], wide[i],
                                          buffer.elements())
                          : device.copy(wide[i], arguments[i], buffer.bytes()))
      return error;
  }
  if (programs.scaled) {
    std::vector<uint32_t> given = programs.oracle.buffersOf(BufferKind::Result);
    for (auto [index, output] : enumerate(reference.outputs)) {
      const BufferRecord &value = programs.oracle.buffers[given[2 * index]];
      const BufferRecord &scale = programs.oracle.buffers[given[2 * index + 1]];
      if (scale.elements() != output.elements)
        output.choices = scale.elements() / output.elements;
      if (Error error = allocate(device, output.oracle, value.bytes()))
        return error;
      results.push_back(output.oracle.address());
      if (Error error = allocate(device, output.scale, scale.bytes()))
        return error;
      results.push_back(output.scale.address());
    }
  }
  if (Error error = run(programs.oracle, oracle, wide, results, "oracle"))
    return error;
  if (!programs.scaled)
    for (size_t i = 0; i < inputs.size(); ++i)
      if (programs.plain.buffers[inputs[i]].written)
        reference.outputs[written++].oracle = std::move(owned[i]);
  return Error::success();
}

Error References::runPlain(Reference &reference,
                           ArrayRef<DeviceAddress> arguments) {
  std::vector<DeviceAddress> inputs(arguments), results;
  std::vector<uint32_t> buffers =
      programs.plain.buffersOf(BufferKind::Argument);
  bool inPlace = programs.plain.buffersOf(BufferKind::Result).empty();
  size_t next = 0;
  for (OutputReference &output : reference.outputs) {
    uint64_t bytes = output.elements * elementBytes(output.type);
    if (Error error = allocate(device, output.plain, bytes))
      return error;
    if (!inPlace) {
      results.push_back(output.plain.address());
      continue;
    }
    while (!programs.plain.buffers[buffers[next]].written)
      ++next;
    if (Error error =
            device.copy(output.plain.address(), arguments[next], bytes))
      return error;
    inputs[next++] = output.plain.address();
  }
  return run(programs.plain, plain, inputs, results, "yardstick");
}

// In how many blocks the yardstick sums at most for an element of the output.
double References::blocksOf(const OutputReference &output) const {
  uint64_t largest = 0;
  for (uint32_t index : programs.plain.buffersOf(BufferKind::Argument))
    largest = std::max(largest, programs.plain.buffers[index].elements());
  return std::max(1.0, largest / kBlock / output.elements);
}

Error References::measure(OutputReference &output) {
  auto compare = [&](DeviceAddress scale) {
    return support.compare(output.type, output.plain.address(),
                           output.plain.address(), output.oracle.address(),
                           scale, output.elements,
                           std::numeric_limits<double>::infinity());
  };
  if (!programs.scaled) {
    Expected<Comparison> sizes = compare(output.oracle.address());
    if (!sizes)
      return sizes.takeError();
    double rms =
        sizes->counted ? std::sqrt(sizes->squaredOracle / sizes->counted) : 0;
    if (Error error = allocate(device, output.scale, output.elements * 8))
      return error;
    if (Error error =
            support.scale(output.oracle.address(), output.scale.address(),
                          output.elements, rms))
      return error;
  }
  Expected<Comparison> measured = compare(output.scale.address());
  if (!measured)
    return measured.takeError();
  output.normwise = normwiseOf(*measured, output.type);
  double count = std::max<double>(measured->counted, 1);
  if (measured->squaredOracle > 0 && measured->squaredScale > 0) {
    // How many elements of one size would make the norm of the scales.
    double effective =
        measured->squaredScale * measured->squaredScale / measured->fourthScale;
    // The fourth powers of large doubles overflow.
    if (!(effective >= 1))
      effective = 1;
    double loss = std::sqrt(measured->squaredRatio /
                            std::max<double>(measured->scaled, 1));
    // The others may be exact, and say nothing of these.
    if (effective < kFewElements)
      loss = std::max(loss, kLeastLoss);
    if (measured->scaled < kVeryFewElements)
      loss = std::max(loss, kLossOfBlock / std::sqrt(blocksOf(output)));
    double typical =
        loss * std::sqrt(measured->squaredScale / measured->squaredOracle);
    output.normwise = std::max(output.normwise, typical);
    output.byChance = typical * (1.5 + 3 / std::sqrt(effective));
    if (measured->scaled < kVeryFewElements) {
      output.elementByChance = kLossBehindLargest / std::sqrt(blocksOf(output));
      output.byChance =
          std::max(output.byChance,
                   output.elementByChance * std::sqrt(measured->squaredScale /
                                                      measured->squaredOracle));
    }
  }
  output.componentwise = std::max(measured->worstRatio, 0.0);
  double mean = measured->sumOracle / count;
  double square = measured->squaredOracle / count;
  // No variance beyond what f64 itself makes of a constant; or values that are
  // less than what plain fp32 errs by, which zeros would be as good as.
  output.vacuous =
      measured->counted == 0 || square == 0 ||
      output.normwise * unitRoundoff(output.type) >= 1 ||
      (measured->counted > 1 && square - mean * mean <= 1e-14 * square);
  return Error::success();
}
