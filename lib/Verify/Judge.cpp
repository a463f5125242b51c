// The judge's procedure; see the header.
#include "KernelSkill/Verify/Judge.h"

#include "Cause.h"
#include "KernelSkill/Verify/Numerics.h"
#include "References.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace llvm;
using namespace kernelskill;

namespace {

// Buffers of one run of a candidate: its arguments, then its results.
struct RunBuffers {
  std::vector<DeviceBuffer> arguments, results;

  static std::vector<DeviceAddress>
  addresses(const std::vector<DeviceBuffer> &buffers) {
    std::vector<DeviceAddress> list;
    for (const DeviceBuffer &buffer : buffers)
      list.push_back(buffer.address());
    return list;
  }
};

class JudgeOnDevice : public Judge {
public:
  JudgeOnDevice(Device &device, OraclePrograms given,
                std::unique_ptr<SupportKernels> kernels)
      : device(device), programs(std::move(given)), support(std::move(kernels)),
        references(device, *support, programs) {}

  Expected<Verdict> judge(const Program &candidate,
                          const JudgeOptions &options) override;
  Expected<Arguments> draw(const Program &candidate, StringRef family,
                           uint64_t seed) override;
  void dropReferences() override { references.drop(); }

private:
  std::string whyRefused(const Program &candidate) const;
  Expected<RunBuffers> allocate(const Program &candidate);
  Error drawInto(const Program &candidate, RunBuffers &buffers,
                 const InputSet &inputs);
  Error judgeInputs(const InputSet &inputs, RunBuffers &buffers,
                    LoadedProgram &loaded, const JudgeOptions &options);
  Error checkInputs(const InputSet &inputs, const RunBuffers &buffers,
                    const Program &candidate);
  Error checkOutput(uint32_t position, const Reference &reference,
                    DeviceAddress output, const BufferRecord &buffer);
  Error checkFloats(MeasureRecord &measure, const OutputReference &reference,
                    DeviceAddress output, const BufferRecord &buffer);
  Error checkIntegers(MeasureRecord &measure, const OutputReference &reference,
                      DeviceAddress output, const BufferRecord &buffer);
  Error describeWorst(const MeasureRecord &measure, int64_t index, double bound,
                      const OutputReference &reference, DeviceAddress output,
                      const BufferRecord &buffer);
  Error recognizeEarlier(const MeasureRecord &measure, DeviceAddress output);
  void setWrong(const Twine &cause, const Twine &message);
  /// How many sets of inputs the budget for references allows.
  size_t affordable(const JudgeOptions &options) const {
    if (secondsOfReference == 0)
      return SIZE_MAX;
    return std::max(
        2.0, std::min(1e6, options.referenceSeconds / secondsOfReference));
  }
  Expected<double> readElement(DeviceAddress at, ElementType type,
                               uint64_t index);

  Device &device;
  OraclePrograms programs;
  std::unique_ptr<SupportKernels> support;
  References references;
  // Of the judgement in progress.
  const NumericsClass *numerics = nullptr;
  std::vector<InputSet> earlier;
  Verdict verdict;
  // What the first reference of this judge took, and so about each: it decides
  // once how many families all candidates are judged with.
  double secondsOfReference = 0;
};

} // namespace

Expected<std::unique_ptr<Judge>> Judge::create(Device &device,
                                               OraclePrograms programs) {
  for (const BufferRecord &buffer : programs.plain.buffers)
    if ((buffer.kind == BufferKind::Argument ||
         buffer.kind == BufferKind::Result) &&
        !SupportKernels::supports(buffer.type))
      return createStringError("'" + buffer.name + "' is of type " +
                               elementName(buffer.type) +
                               ", which can't be judged; f16, bf16, f32, "
                               "f64, i1, i8, i16, i32 and i64 can");
  if (outputsOf(programs.plain).empty())
    return createStringError("the payload has no output to judge");
  Expected<std::unique_ptr<SupportKernels>> support =
      SupportKernels::create(device, programs.support);
  if (!support)
    return support.takeError();
  return std::make_unique<JudgeOnDevice>(device, std::move(programs),
                                         std::move(*support));
}

// Why a program can't be a candidate for the payload; empty if it can.
std::string JudgeOnDevice::whyRefused(const Program &candidate) const {
  for (BufferKind kind : {BufferKind::Argument, BufferKind::Result}) {
    std::vector<uint32_t> expected = programs.plain.buffersOf(kind);
    std::vector<uint32_t> found = candidate.buffersOf(kind);
    StringRef what = kind == BufferKind::Argument ? "argument" : "result";
    if (expected.size() != found.size())
      return formatv("the payload has {0} {1}s, the candidate {2}",
                     expected.size(), what, found.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const BufferRecord &e = programs.plain.buffers[expected[i]];
      const BufferRecord &f = candidate.buffers[found[i]];
      if (e.type != f.type || e.shape != f.shape)
        return formatv("{0} {1} of the payload is {2:$[x]}x{3}, the "
                       "candidate's is {4:$[x]}x{5}",
                       what, i, make_range(e.shape.begin(), e.shape.end()),
                       elementName(e.type),
                       make_range(f.shape.begin(), f.shape.end()),
                       elementName(f.type));
    }
  }
  return "";
}

Expected<RunBuffers> JudgeOnDevice::allocate(const Program &candidate) {
  RunBuffers buffers;
  for (const BufferRecord &record : candidate.buffers) {
    if (record.kind != BufferKind::Argument &&
        record.kind != BufferKind::Result)
      continue;
    Expected<DeviceBuffer> memory =
        DeviceBuffer::allocate(device, record.bytes());
    if (!memory)
      return memory.takeError();
    (record.kind == BufferKind::Argument ? buffers.arguments : buffers.results)
        .push_back(std::move(*memory));
  }
  return std::move(buffers);
}

// Draws all arguments and poisons the results. How a value is drawn is the
// payload's to say, not the candidate's.
Error JudgeOnDevice::drawInto(const Program &candidate, RunBuffers &buffers,
                              const InputSet &inputs) {
  for (auto [position, index] :
       enumerate(programs.plain.buffersOf(BufferKind::Argument))) {
    const BufferRecord &buffer = programs.plain.buffers[index];
    if (Error error =
            support->fill(buffers.arguments[position].address(), buffer.type,
                          buffer.elements(), seedOf(inputs, position),
                          drawOf(buffer, inputs.family)))
      return error;
  }
  for (DeviceBuffer &result : buffers.results)
    if (Error error = device.fill(result.address(), 0xff, result.bytes()))
      return error;
  return Error::success();
}

Expected<Judge::Arguments>
JudgeOnDevice::draw(const Program &candidate, StringRef family, uint64_t seed) {
  if (!isKnownFamily(family))
    return createStringError("unknown family of inputs '" + family + "'");
  if (std::string why = whyRefused(candidate); !why.empty())
    return createStringError(why);
  Expected<RunBuffers> buffers = allocate(candidate);
  if (!buffers)
    return buffers.takeError();
  if (Error error = drawInto(candidate, *buffers, {family.str(), seed}))
    return std::move(error);
  Arguments arguments;
  for (DeviceBuffer &buffer : buffers->arguments)
    arguments.arguments.push_back(buffer.take());
  for (DeviceBuffer &buffer : buffers->results)
    arguments.results.push_back(buffer.take());
  return arguments;
}

void JudgeOnDevice::setWrong(const Twine &cause, const Twine &message) {
  // The first thing that was found wrong is the one that is told.
  if (!verdict.right())
    return;
  verdict.kind = VerdictKind::Wrong;
  verdict.cause = cause.str();
  verdict.message = message.str();
}

Expected<double> JudgeOnDevice::readElement(DeviceAddress at, ElementType type,
                                            uint64_t index) {
  char bytes[8] = {};
  unsigned size = elementBytes(type);
  if (Error error = device.copyFromDevice(bytes, at + index * size, size))
    return std::move(error);
  auto as = [&](auto value) {
    memcpy(&value, bytes, sizeof(value));
    return static_cast<double>(value);
  };
  switch (type) {
  case ElementType::F32:
    return as(float());
  case ElementType::F64:
    return as(double());
  case ElementType::F16:
  case ElementType::BF16: {
    uint16_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    const fltSemantics &semantics =
        type == ElementType::F16 ? APFloat::IEEEhalf() : APFloat::BFloat();
    return APFloat(semantics, APInt(16, bits)).convertToDouble();
  }
  case ElementType::I16:
    return as(int16_t());
  case ElementType::I32:
    return as(int32_t());
  case ElementType::I64:
    return as(int64_t());
  default:
    return as(int8_t());
  }
}

Error JudgeOnDevice::describeWorst(const MeasureRecord &measure, int64_t index,
                                   double bound,
                                   const OutputReference &reference,
                                   DeviceAddress output,
                                   const BufferRecord &buffer) {
  if (index < 0 || verdict.worst)
    return Error::success();
  WorstElement worst;
  worst.family = measure.family;
  worst.seed = measure.seed;
  worst.output = measure.output;
  worst.name = buffer.name;
  worst.index = index;
  worst.position.resize(buffer.shape.size());
  for (uint64_t rest = index, axis = buffer.shape.size(); axis-- > 0;) {
    worst.position[axis] = rest % buffer.shape[axis];
    rest /= buffer.shape[axis];
  }
  bool floats = isFloat(buffer.type);
  auto read = [&](double &value, DeviceAddress at, ElementType type) -> Error {
    Expected<double> element = readElement(at, type, index);
    if (!element)
      return element.takeError();
    value = *element;
    return Error::success();
  };
  if (Error error = read(worst.got, output, buffer.type))
    return error;
  if (Error error = read(worst.expected, reference.oracle.address(),
                         floats ? ElementType::F64 : buffer.type))
    return error;
  if (Error error = read(worst.plain, reference.plain.address(), buffer.type))
    return error;
  if (floats) {
    double scale = 0;
    if (Error error = read(scale, reference.scale.address(), ElementType::F64))
      return error;
    worst.allowed =
        bound * (scale * unitRoundoff(buffer.type) + leastError(buffer.type));
  }
  verdict.worst = std::move(worst);
  return Error::success();
}

// A wrong output that is right for inputs of before was not computed anew.
Error JudgeOnDevice::recognizeEarlier(const MeasureRecord &measure,
                                      DeviceAddress output) {
  for (const InputSet &inputs : earlier) {
    const Reference *reference = references.find(inputs);
    if (!reference)
      continue;
    const OutputReference &before = reference->outputs[measure.output];
    double bound = std::max(
        numerics->componentwiseBound(before.componentwise, before.type),
        before.elementByChance);
    Expected<Comparison> comparison = support->compare(
        before.type, output, before.plain.address(), before.oracle.address(),
        before.scale.address(), before.elements, bound);
    if (!comparison)
      return comparison.takeError();
    // Elements that rounding can move anywhere are inside whatever they are.
    double inNorm = std::max(
        numerics->normwiseBound(before.normwise, before.type), before.byChance);
    bool near = normwiseOf(*comparison, before.type) <= inNorm;
    if (comparison->outside == 0 && near && !before.vacuous) {
      verdict.cause = "cached result";
      verdict.message = formatv("output {0} for the family '{1}' (seed {2}) "
                                "is the result for '{3}' (seed {4})",
                                measure.output, measure.family, measure.seed,
                                inputs.family, inputs.seed);
      return Error::success();
    }
  }
  return Error::success();
}

Error JudgeOnDevice::checkFloats(MeasureRecord &measure,
                                 const OutputReference &reference,
                                 DeviceAddress output,
                                 const BufferRecord &buffer) {
  measure.plainNormwise = reference.normwise;
  measure.plainComponentwise = reference.componentwise;
  measure.normwiseBound =
      std::max(numerics->normwiseBound(reference.normwise, buffer.type),
               reference.byChance);
  measure.componentwiseBound = std::max(
      numerics->componentwiseBound(reference.componentwise, buffer.type),
      reference.elementByChance);
  measure.vacuous = reference.vacuous;
  Expected<Comparison> comparison =
      support->compare(buffer.type, output, reference.plain.address(),
                       reference.oracle.address(), reference.scale.address(),
                       reference.elements, measure.componentwiseBound);
  if (!comparison)
    return comparison.takeError();
  measure.normwise = normwiseOf(*comparison, buffer.type);
  measure.componentwise = std::max(comparison->worstRatio, 0.0);
  measure.mismatches = comparison->mismatches;
  // Written so that a measure that is NaN is out of bounds.
  bool normwiseHolds = measure.normwise <= measure.normwiseBound;
  if (comparison->outside == 0 && normwiseHolds)
    return Error::success();
  bool first = verdict.right();
  std::string message = formatv(
      "output {0} ('{1}') for the family '{2}' (seed {3}): ", measure.output,
      buffer.name, measure.family, measure.seed);
  if (comparison->mismatches > 0)
    message += formatv("{0} elements are NaN, infinite or neither where they "
                       "must not be, the first at {1}",
                       comparison->mismatches, comparison->firstMismatch);
  else if (comparison->outside > 0)
    message += formatv("{0} of {1} elements are out of bounds; the worst, at "
                       "{2}, has {3:f2} times the error of its roundings, "
                       "allowed are {4:f2}",
                       comparison->outside, comparison->elements,
                       comparison->worstIndex, measure.componentwise,
                       measure.componentwiseBound);
  else
    message += formatv("its error is {0:f2} roundoffs in norm, allowed are "
                       "{1:f2}",
                       measure.normwise, measure.normwiseBound);
  setWrong(causeOf(*comparison, measure.normwise), message);
  int64_t index = comparison->firstMismatch >= 0 ? comparison->firstMismatch
                                                 : comparison->worstIndex;
  if (Error error = describeWorst(measure, index, measure.componentwiseBound,
                                  reference, output, buffer))
    return error;
  return first ? recognizeEarlier(measure, output) : Error::success();
}

Error JudgeOnDevice::checkIntegers(MeasureRecord &measure,
                                   const OutputReference &reference,
                                   DeviceAddress output,
                                   const BufferRecord &buffer) {
  DeviceAddress oracle = reference.oracle.address();
  Expected<IntegerComparison> comparison = support->compareIntegers(
      buffer.type, output, oracle, reference.plain.address(),
      programs.scaled ? reference.scale.address() : oracle, reference.elements,
      reference.choices);
  if (!comparison)
    return comparison.takeError();
  measure.mismatches = comparison->different;
  if (comparison->different == 0)
    return Error::success();
  setWrong(causeOf(*comparison, reference.elements),
           formatv("output {0} ('{1}') for the family '{2}' (seed {3}): {4} "
                   "of {5} integers differ, the first at {6}",
                   measure.output, buffer.name, measure.family, measure.seed,
                   comparison->different, reference.elements, comparison->first)
               .str());
  return describeWorst(measure, comparison->first, 0, reference, output,
                       buffer);
}

Error JudgeOnDevice::checkOutput(uint32_t position, const Reference &reference,
                                 DeviceAddress output,
                                 const BufferRecord &buffer) {
  MeasureRecord measure;
  measure.family = reference.inputs.family;
  measure.seed = reference.inputs.seed;
  measure.output = position;
  const OutputReference &expected = reference.outputs[position];
  Error error = isFloat(buffer.type)
                    ? checkFloats(measure, expected, output, buffer)
                    : checkIntegers(measure, expected, output, buffer);
  verdict.measures.push_back(std::move(measure));
  return error;
}

// Draws the inputs once more and compares: no candidate may edit them.
Error JudgeOnDevice::checkInputs(const InputSet &inputs,
                                 const RunBuffers &buffers,
                                 const Program &candidate) {
  for (auto [position, index] :
       enumerate(programs.plain.buffersOf(BufferKind::Argument))) {
    const BufferRecord &buffer = programs.plain.buffers[index];
    if (buffer.written)
      continue;
    Expected<DeviceBuffer> again =
        DeviceBuffer::allocate(device, buffer.bytes());
    if (!again)
      return again.takeError();
    if (Error error = support->fill(again->address(), buffer.type,
                                    buffer.elements(), seedOf(inputs, position),
                                    drawOf(buffer, inputs.family)))
      return error;
    Expected<IntegerComparison> comparison =
        support->compareBytes(buffers.arguments[position].address(),
                              again->address(), buffer.bytes());
    if (!comparison)
      return comparison.takeError();
    if (comparison->different > 0)
      setWrong("edited input",
               formatv("argument {0} ('{1}') was changed by the candidate",
                       position, buffer.name)
                   .str());
  }
  return Error::success();
}

Error JudgeOnDevice::judgeInputs(const InputSet &inputs, RunBuffers &buffers,
                                 LoadedProgram &loaded,
                                 const JudgeOptions &options) {
  const Program &candidate = loaded.program();
  if (Error error = drawInto(candidate, buffers, inputs))
    return error;
  std::vector<DeviceAddress> arguments =
      RunBuffers::addresses(buffers.arguments);
  auto start = std::chrono::steady_clock::now();
  Expected<const Reference *> reference =
      references.get(inputs, arguments, options.oracleSeconds);
  if (!reference)
    return reference.takeError();
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  if (secondsOfReference == 0)
    secondsOfReference = std::max(taken.count(), 1e-9);

  std::vector<DeviceAddress> results = RunBuffers::addresses(buffers.results);
  device.setTimeLimit(options.candidateSeconds);
  Error failed = loaded.run(arguments, results);
  device.setTimeLimit(options.oracleSeconds);
  if (failed) {
    describeFailure(std::move(failed), verdict);
    // A fault poisons the context of a GPU, and of nothing else.
    verdict.deviceLost =
        device.properties().kind != "cpu" && verdict.cause != "out of memory";
    return Error::success();
  }
  if (Error guards = device.checkGuards())
    setWrong("out of bounds", toString(std::move(guards)));
  if (Error error = checkInputs(inputs, buffers, candidate))
    return error;
  bool inPlace = buffers.results.empty();
  std::vector<uint32_t> argumentBuffers =
      programs.plain.buffersOf(BufferKind::Argument);
  for (auto [position, index] : enumerate(outputsOf(programs.plain))) {
    DeviceAddress output =
        inPlace
            ? arguments[find(argumentBuffers, index) - argumentBuffers.begin()]
            : results[position];
    if (Error error = checkOutput(position, **reference, output,
                                  programs.plain.buffers[index]))
      return error;
  }
  return Error::success();
}

static Expected<std::vector<InputSet>> inputSets(const JudgeOptions &options) {
  std::vector<InputSet> sets;
  for (unsigned i = 0; i < options.drawnSeeds; ++i)
    sets.push_back({"drawn", options.seed + i});
  for (const std::string &family : options.families) {
    if (!isKnownFamily(family))
      return createStringError("unknown family of inputs '" + family + "'");
    sets.push_back({family, options.seed + sets.size()});
  }
  if (sets.empty())
    return createStringError("no family of inputs to judge with");
  return sets;
}

// What finds most comes first, where not all sets can be judged.
static void orderByWorth(std::vector<InputSet> &sets) {
  auto worth = [&](const InputSet &set) {
    if (set == sets.front())
      return 0;
    return StringSwitch<int>(set.family)
        .Case("normal", 1)
        .Case("special", 2)
        .Case("edge", 3)
        .Case("heavy", 4)
        .Case("positive", 5)
        .Default(6);
  };
  std::vector<std::pair<int, size_t>> ranked;
  for (auto [position, set] : enumerate(sets))
    ranked.push_back({worth(set), position});
  sort(ranked);
  std::vector<InputSet> ordered;
  for (auto [rank, position] : ranked)
    ordered.push_back(sets[position]);
  copy(ordered, sets.begin()); // in place: the caller is in a loop over them
}

Expected<Verdict> JudgeOnDevice::judge(const Program &candidate,
                                       const JudgeOptions &options) {
  Expected<const NumericsClass *> found = findNumerics(options.numerics);
  if (!found)
    return found.takeError();
  numerics = *found;
  Expected<const NumericsClass *> built = findNumerics(programs.plain.numerics);
  if (!built)
    return built.takeError();
  if ((*built)->products != numerics->products)
    return createStringError("the yardstick is of the numerics class '" +
                             (*built)->name + "', not of '" + numerics->name +
                             "'; build the oracle for that");
  verdict = Verdict();
  verdict.kind = VerdictKind::Right;
  verdict.numerics = options.numerics;
  earlier.clear();
  Expected<std::vector<InputSet>> listed = inputSets(options);
  if (!listed)
    return listed.takeError();
  std::vector<InputSet> sets = std::move(*listed);
  if (secondsOfReference > 0 && sets.size() > affordable(options))
    orderByWorth(sets);

  auto refuse = [&](std::string message) {
    verdict.kind = VerdictKind::Refused;
    verdict.cause = "refused";
    verdict.message = std::move(message);
    return verdict;
  };
  if (std::string why = whyRefused(candidate); !why.empty())
    return refuse(why);
  Expected<std::unique_ptr<LoadedProgram>> loaded = device.load(candidate);
  if (!loaded)
    return refuse(toString(loaded.takeError()));
  Expected<RunBuffers> buffers = allocate(candidate);
  if (!buffers)
    return buffers.takeError();
  for (auto [number, inputs] : enumerate(sets)) {
    if (number >= affordable(options)) {
      verdict.leftOut.push_back(inputs.family);
      continue;
    }
    if (options.progress)
      options.progress(inputs.family);
    // The second set of inputs lies where the first did, the third elsewhere:
    // a result kept by address or by content is found out either way.
    if (number == 2) {
      Expected<RunBuffers> fresh = allocate(candidate);
      if (fresh)
        std::swap(*buffers, *fresh);
      else // too large to have two: go on with the first
        consumeError(fresh.takeError());
    }
    if (Error error = judgeInputs(inputs, *buffers, **loaded, options))
      return std::move(error);
    if (number == 0 && sets.size() > affordable(options))
      orderByWorth(sets);
    bool stopped =
        verdict.kind == VerdictKind::Crash || verdict.kind == VerdictKind::Hang;
    if (stopped || (!verdict.right() && !options.allFamilies))
      break;
    earlier.push_back(inputs);
  }
  verdict.vacuous = !verdict.measures.empty() &&
                    all_of(verdict.measures, [](const MeasureRecord &measure) {
                      return measure.vacuous;
                    });
  return verdict;
}
