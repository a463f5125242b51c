// From text through strategy, host and lowering to the CPU device.
#include "StrategyRunner.h"

#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Graph/Passes.h"
#include "KernelSkill/Lowering/Lowering.h"
#include "KernelSkill/Runtime/Device.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelskill;

std::string kernelskill::tensorType(ArrayRef<int64_t> shape,
                                    StringRef element) {
  std::string type = "tensor<";
  for (int64_t extent : shape)
    type += std::to_string(extent) + "x";
  return type + element.str() + ">";
}

TestTensor kernelskill::drawn(ArrayRef<int64_t> shape, StringRef element,
                              int64_t seed) {
  TestTensor tensor{tensorType(shape, element), {}};
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  uint64_t state = 977 + seed;
  for (int64_t i = 0; i < elements; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    tensor.values.push_back(static_cast<int64_t>(state >> 33) % 9 - 4);
  }
  return tensor;
}

std::string
kernelskill::strategy(StringRef name,
                      ArrayRef<std::pair<const char *, int64_t>> knobs) {
  std::string constants;
  std::string op = ("transform.kernelskill." + name + " %d").str();
  for (auto [knob, value] : knobs) {
    constants += std::string("%") + knob + " = transform.param.constant " +
                 std::to_string(value) + " : i64 -> !transform.param<i64>\n";
    op += std::string(" ") + knob + " = %" + knob;
  }
  return constants + op + " : !transform.any_op\n";
}

//===----------------------------------------------------------------------===//
// Values to and from bytes
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics *semanticsOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return &llvm::APFloat::IEEEhalf();
  case ElementType::BF16:
    return &llvm::APFloat::BFloat();
  case ElementType::F32:
    return &llvm::APFloat::IEEEsingle();
  case ElementType::F64:
    return &llvm::APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

static std::string toBytes(ArrayRef<double> values, ElementType type) {
  std::string bytes;
  for (double value : values) {
    uint64_t bits = static_cast<uint64_t>(static_cast<int64_t>(value));
    if (const llvm::fltSemantics *semantics = semanticsOf(type)) {
      llvm::APFloat number(value);
      bool lost;
      number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
      bits = number.bitcastToAPInt().getZExtValue();
    } else if (type == ElementType::I1) {
      bits = value != 0;
    }
    bytes.append(reinterpret_cast<const char *>(&bits), elementBytes(type));
  }
  return bytes;
}

static std::vector<double> fromBytes(StringRef bytes, ElementType type) {
  std::vector<double> values;
  unsigned size = elementBytes(type);
  for (size_t i = 0; i < bytes.size(); i += size) {
    uint64_t bits = 0;
    memcpy(&bits, bytes.data() + i, size);
    if (const llvm::fltSemantics *semantics = semanticsOf(type)) {
      llvm::APFloat number(*semantics, llvm::APInt(size * 8, bits));
      bool lost;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &lost);
      values.push_back(number.convertToDouble());
    } else {
      unsigned shift = 64 - size * 8;
      values.push_back(
          static_cast<double>(static_cast<int64_t>(bits << shift) >> shift));
    }
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

StrategyRunner::StrategyRunner() {
  DialectRegistry registry;
  registerUsedDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

static std::string moduleText(StringRef function, ArrayRef<TestTensor> inputs,
                              StringRef resultType) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << function << "\nfunc.func @main(";
  llvm::interleaveComma(llvm::enumerate(inputs), os, [&](auto input) {
    os << "%a" << input.index() << ": " << input.value().type;
  });
  os << ") -> " << resultType << " {\n%r = call @d(";
  llvm::interleaveComma(llvm::seq<size_t>(0, inputs.size()), os,
                        [&](size_t i) { os << "%a" << i; });
  os << ") : (";
  llvm::interleaveComma(inputs, os,
                        [&](const TestTensor &input) { os << input.type; });
  os << ") -> " << resultType << "\nreturn %r : " << resultType << "\n}\n";
  return text;
}

static llvm::Expected<std::string> runProgram(const Program &program,
                                              ArrayRef<TestTensor> inputs) {
  auto device = openDevice("cpu");
  if (!device)
    return device.takeError();
  std::vector<DeviceAddress> arguments, results;
  auto allocate = [&](const BufferRecord &buffer,
                      std::vector<DeviceAddress> &to) -> llvm::Error {
    auto address = (*device)->allocate(buffer.bytes());
    if (!address)
      return address.takeError();
    to.push_back(*address);
    return (*device)->fill(*address, 0xff, buffer.bytes());
  };
  for (auto [i, number] :
       llvm::enumerate(program.buffersOf(BufferKind::Argument))) {
    const BufferRecord &buffer = program.buffers[number];
    if (llvm::Error error = allocate(buffer, arguments))
      return error;
    std::string bytes = toBytes(inputs[i].values, buffer.type);
    if (llvm::Error error = (*device)->copyToDevice(arguments.back(),
                                                    bytes.data(), bytes.size()))
      return error;
  }
  uint32_t result = program.buffersOf(BufferKind::Result).front();
  if (llvm::Error error = allocate(program.buffers[result], results))
    return error;
  auto loaded = (*device)->load(program);
  if (!loaded)
    return loaded.takeError();
  if (llvm::Error error = (*loaded)->run(arguments, results))
    return error;
  if (llvm::Error error = (*device)->checkGuards())
    return error;
  std::string bytes(program.buffers[result].bytes(), '\0');
  if (llvm::Error error =
          (*device)->copyFromDevice(bytes.data(), results[0], bytes.size()))
    return error;
  return bytes;
}

std::vector<double> StrategyRunner::run(StringRef function, StringRef strategy,
                                        ArrayRef<TestTensor> inputs,
                                        StringRef resultType) {
  auto module = parseSourceString<ModuleOp>(
      moduleText(function, inputs, resultType), &context);
  auto recipe = parseSourceString<ModuleOp>(
      ("module attributes {transform.with_named_sequence} {\n"
       "transform.named_sequence @go(%d: !transform.any_op "
       "{transform.readonly}) {\n" +
       strategy + "transform.yield\n}\n}")
          .str(),
      &context);
  if (!module || !recipe) {
    ADD_FAILURE() << "does not parse";
    return {};
  }
  Operation *dispatch = module->lookupSymbol("d");
  auto entry = cast<transform::NamedSequenceOp>(recipe->lookupSymbol("go"));
  PassManager passes(&context);
  passes.addPass(createBufferizeHost());
  if (failed(transform::applyTransformNamedSequence(
          dispatch, entry, *recipe, transform::TransformOptions())) ||
      failed(passes.run(*module))) {
    ADD_FAILURE() << "the strategy or the host failed";
    return {};
  }
  LoweringOptions options;
  options.ptx = options.cubin = false;
  FailureOr<Program> program = lowerToProgram(*module, options);
  if (failed(program)) {
    ADD_FAILURE() << "the lowering failed";
    return {};
  }
  llvm::Expected<std::string> bytes = runProgram(*program, inputs);
  if (!bytes) {
    ADD_FAILURE() << llvm::toString(bytes.takeError());
    return {};
  }
  uint32_t result = program->buffersOf(BufferKind::Result).front();
  return fromBytes(*bytes, program->buffers[result].type);
}
