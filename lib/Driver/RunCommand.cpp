// `run PROGRAM`: runs a program file once. Arguments come from .npy files or
// are drawn as the payload says; results go to .npy files.
#include "Commands.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Verify/Judge.h"
#include "KernelSkill/Verify/Oracle.h"
#include "Npy.h"
#include "OutputFile.h"
#include "Search.h"

using namespace llvm;
using namespace kernelskill;

static Error onDevice(Error error) {
  return withCode(ExitCode::NoDevice, std::move(error));
}

/// The kernels that draw arguments, for this device.
static Expected<OraclePrograms> supportFor(const Device &device,
                                           const Program &program) {
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  registerPasses();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  LoweringOptions lowering;
  lowering.chip = defaultChip(device.properties());
  lowering.cpu = device.properties().kind == "cpu";
  lowering.ptx = !lowering.cpu;
  lowering.cubin = false; // the driver assembles PTX itself
  auto support = buildSupport(context, lowering);
  if (mlir::failed(support))
    return makeError(ExitCode::Internal,
                     "the kernels that draw arguments can't be built");
  OraclePrograms programs;
  programs.plain = program; // only its arguments matter here
  programs.support = std::move(*support);
  return programs;
}

/// Buffers for all arguments and results; those without a file are drawn.
static Expected<Judge::Arguments> makeArguments(Device &device,
                                                const Program &program,
                                                ArrayRef<std::string> inputs,
                                                uint64_t seed) {
  std::vector<uint32_t> wanted = program.buffersOf(BufferKind::Argument);
  if (inputs.size() > wanted.size())
    return makeError(ExitCode::Input, "the program takes " +
                                          Twine(wanted.size()) +
                                          " arguments, --input names " +
                                          Twine(inputs.size()) + " files");
  std::vector<NpyArray> arrays;
  for (auto [path, index] : zip(inputs, wanted)) {
    Expected<NpyArray> array = readNpy(path);
    if (!array)
      return withCode(ExitCode::Input, array.takeError());
    if (Error error = checkNpyFits(*array, program.buffers[index], path))
      return withCode(ExitCode::Input, std::move(error));
    arrays.push_back(std::move(*array));
  }
  Judge::Arguments made;
  if (inputs.size() < wanted.size()) {
    Expected<OraclePrograms> support = supportFor(device, program);
    if (!support)
      return support.takeError();
    auto judge = Judge::create(device, std::move(*support));
    if (!judge)
      return onDevice(judge.takeError());
    Expected<Judge::Arguments> drawn = (*judge)->draw(program, "drawn", seed);
    if (!drawn)
      return onDevice(drawn.takeError());
    made = std::move(*drawn);
  } else {
    auto allocate = [&](BufferKind kind,
                        std::vector<DeviceAddress> &addresses) -> Error {
      for (uint32_t index : program.buffersOf(kind)) {
        auto address = device.allocate(program.buffers[index].bytes());
        if (!address)
          return onDevice(address.takeError());
        addresses.push_back(*address);
      }
      return Error::success();
    };
    if (Error error = allocate(BufferKind::Argument, made.arguments))
      return std::move(error);
    if (Error error = allocate(BufferKind::Result, made.results))
      return std::move(error);
  }
  for (auto [array, address] : zip(arrays, made.arguments))
    if (Error error =
            device.copyToDevice(address, array.data.data(), array.data.size()))
      return onDevice(std::move(error));
  return made;
}

/// A file name for an output: its buffer's name, without what no file may have.
static std::string fileName(StringRef name, size_t position) {
  std::string text;
  for (char c : name)
    text += isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  if (text.empty() || text[0] == '.')
    text = "result" + std::to_string(position);
  return text + ".npy";
}

/// Copies the outputs into .npy files; their names, shapes and paths.
static Expected<json::Array> writeOutputs(Device &device,
                                          const Program &program,
                                          const Judge::Arguments &arguments,
                                          StringRef folder) {
  std::map<uint32_t, DeviceAddress> addresses;
  for (auto [index, address] :
       zip(program.buffersOf(BufferKind::Argument), arguments.arguments))
    addresses[index] = address;
  for (auto [index, address] :
       zip(program.buffersOf(BufferKind::Result), arguments.results))
    addresses[index] = address;
  json::Array written;
  for (auto [position, index] : enumerate(outputsOf(program))) {
    const BufferRecord &buffer = program.buffers[index];
    NpyArray array{npyDescriptor(buffer.type).str(), buffer.shape, ""};
    array.data.resize(buffer.bytes());
    if (Error error = device.copyFromDevice(array.data.data(), addresses[index],
                                            buffer.bytes()))
      return onDevice(std::move(error));
    std::string path = joinPath(folder, fileName(buffer.name, position));
    if (Error error = writeNpy(path, array))
      return std::move(error);
    written.push_back(json::Object{{"name", buffer.name},
                                   {"type", elementName(buffer.type)},
                                   {"shape", json::Array(buffer.shape)},
                                   {"path", path}});
  }
  return written;
}

Expected<ExitCode> kernelskill::runProgram(const Options &options) {
  if (!options.has("-o"))
    return makeError(ExitCode::Usage,
                     "'run' needs -o DIR; see 'kernelskill help run'");
  Expected<unsigned> seed = options.number("--seed", 1, 0);
  if (!seed)
    return seed.takeError();
  std::string path = options.operand;
  if (sys::fs::is_directory(path))
    path = joinPath(path, "program.ksp");
  Expected<Program> program = readProgram(path);
  if (!program)
    return withCode(ExitCode::Input, program.takeError());
  std::string name = options.get("--device", "auto");
  if (name == "auto")
    name = hasGpu() ? "cuda:0" : "cpu";
  Expected<std::unique_ptr<Device>> device = openDevice(name);
  if (!device)
    return onDevice(device.takeError());
  std::string folder = options.get("-o");
  if (Error error = makeFolder(folder))
    return std::move(error);
  auto arguments =
      makeArguments(**device, *program, options.all("--input"), *seed);
  if (!arguments)
    return arguments.takeError();
  auto loaded = (*device)->load(*program);
  if (!loaded)
    return withCode(ExitCode::Input, loaded.takeError());
  (*device)->setTimeLimit(600);
  if (Error error = (*loaded)->run(arguments->arguments, arguments->results))
    return withCode(ExitCode::Wrong, std::move(error));
  if (Error error = (*device)->checkGuards())
    return withCode(ExitCode::Wrong, std::move(error));
  Expected<json::Array> written =
      writeOutputs(**device, *program, *arguments, folder);
  if (!written)
    return written.takeError();
  if (options.json()) {
    printJson(json::Object{{"device", (*device)->properties().name},
                           {"outputs", std::move(*written)}});
    return ExitCode::Success;
  }
  for (const json::Value &output : *written)
    outs() << output.getAsObject()->getString("path").value_or("") << "\n";
  return ExitCode::Success;
}
