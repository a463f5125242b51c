// Loading and running a program on a CUDA device; see the header.
#include "CudaProgram.h"

using namespace kernelskill;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

// A graph is launched in about the time of two kernels, whatever it holds: with
// fewer steps there is nothing to gain.
static constexpr size_t kLeastGraphSteps = 4;

CudaProgram::~CudaProgram() {
  graph.reset(); // waits for a run that is under way
  for (DeviceAddress address : owned)
    device.release(address);
  if (module && !device.isPoisoned())
    device.driver.cuModuleUnload(module);
}

Error CudaProgram::load() {
  const char *graphs = getenv("KERNELSKILL_CUDA_GRAPHS");
  if (graphs && llvm::StringRef(graphs) == "0")
    noGraph = "KERNELSKILL_CUDA_GRAPHS is 0";
  else if (loaded.steps.size() < kLeastGraphSteps)
    noGraph =
        "it has fewer than " + std::to_string(kLeastGraphSteps) + " steps";
  if (loaded.kernels.empty())
    return Error::success(); // it only copies
  const ImageRecord *cubin = loaded.image(ImageRecord::Kind::Cubin);
  const ImageRecord *ptx = loaded.image(ImageRecord::Kind::Ptx);
  if (!cubin && !ptx)
    return llvm::createStringError("the program has no CUDA binary; build it "
                                   "for a GPU with 'kernelskill build --chip'");
  CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  std::string chip;
  // The driver's own compiler takes over when the cubin is of another chip.
  for (const ImageRecord *image : {cubin, ptx}) {
    if (!image || result == CUDA_SUCCESS)
      continue;
    chip = image->chip;
    result = device.driver.cuModuleLoadDataEx(&module, image->bytes.c_str(), 0,
                                              nullptr, nullptr);
  }
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
      result == CUDA_ERROR_INVALID_PTX ||
      result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    return llvm::createStringError(
        "the program was built for " + chip + " and does not run on " +
        device.properties().name + " (" + device.properties().chip +
        "); build it again with --chip " + device.properties().chip);
  if (Error error = device.driver.check(result, "loading the program's binary"))
    return error;
  for (const KernelRecord &kernel : loaded.kernels) {
    CUfunction function = nullptr;
    if (Error error = device.driver.check(
            device.driver.cuModuleGetFunction(&function, module,
                                              kernel.name.c_str()),
            "looking up kernel '" + Twine(kernel.name) + "'"))
      return error;
    functions.push_back(function);
  }
  for (const StepRecord &step : loaded.steps) {
    if (step.kind != StepRecord::Kind::Launch || step.dynamicShared == 0)
      continue;
    if (Error error = device.driver.check(
            device.driver.cuFuncSetAttribute(
                functions[step.kernel],
                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                step.dynamicShared),
            Twine(step.dynamicShared) + " bytes of dynamic shared memory"))
      return error;
  }
  return Error::success();
}

Error CudaProgram::bind(ArrayRef<DeviceAddress> arguments,
                        ArrayRef<DeviceAddress> results, CUstream stream) {
  bool first = addresses.empty();
  auto isOwned = [](const BufferRecord &buffer) {
    return buffer.kind == BufferKind::Temporary ||
           buffer.kind == BufferKind::Constant;
  };
  // An allocation would spoil the caller's capture, with a worse message.
  if (first && llvm::any_of(loaded.buffers, isOwned) &&
      isCapturing(device.driver, stream))
    return llvm::createStringError(
        "run the program once before capturing it: its temporaries are "
        "allocated at the first run");
  addresses.resize(loaded.buffers.size());
  size_t nextArgument = 0, nextResult = 0;
  for (auto [buffer, address] : llvm::zip_equal(loaded.buffers, addresses)) {
    switch (buffer.kind) {
    case BufferKind::Argument:
      if (nextArgument == arguments.size())
        return llvm::createStringError("too few arguments: " +
                                       Twine(arguments.size()));
      address = arguments[nextArgument++];
      break;
    case BufferKind::Result:
      if (nextResult == results.size())
        return llvm::createStringError("too few results: " +
                                       Twine(results.size()));
      address = results[nextResult++];
      break;
    case BufferKind::Temporary:
    case BufferKind::Constant: {
      if (!first)
        break;
      llvm::Expected<DeviceAddress> memory = device.allocate(buffer.bytes());
      if (!memory) {
        addresses.clear();
        return memory.takeError();
      }
      address = *memory;
      owned.push_back(address);
      Error error =
          buffer.kind == BufferKind::Constant
              ? device.copyToDevice(address, buffer.data.data(), buffer.bytes())
              : device.fill(address, 0xff, buffer.bytes());
      if (error)
        return error;
    }
    }
  }
  return Error::success();
}

Error CudaProgram::prepare(ArrayRef<DeviceAddress> arguments,
                           ArrayRef<DeviceAddress> results, CUstream stream) {
  before = addresses;
  if (Error error = bind(arguments, results, stream))
    return error;
  recordGraph(stream);
  return Error::success();
}

/// Records a graph if it is of use: the second run in a row with the same
/// buffers. By then the driver has loaded all kernels, which it may not do in
/// a capture.
void CudaProgram::recordGraph(CUstream stream) {
  if (!noGraph.empty() || before != addresses ||
      (graph && recorded == addresses) || isCapturing(device.driver, stream))
    return;
  graph.reset();
  llvm::Expected<std::unique_ptr<CudaGraph>> made =
      CudaGraph::record(device, [&] { return enqueueSteps(device.stream); });
  if (!made) {
    // The steps are then launched one by one; what is wrong with the device or
    // a kernel, rather than with the graph, shows there again.
    noGraph = "recording a CUDA graph failed: " + toString(made.takeError());
    return;
  }
  graph = std::move(*made);
  recorded = addresses;
}

Error CudaProgram::enqueue(CUstream stream) {
  if (!noGraph.empty()) {
    how = "launched one by one: " + noGraph;
    return enqueueSteps(stream);
  }
  if (!graph || recorded != addresses) {
    how = "launched one by one: the first run with these buffers";
    return enqueueSteps(stream);
  }
  // The caller's own graph takes the kernels themselves.
  if (isCapturing(device.driver, stream)) {
    how = "launched one by one: the stream is being captured";
    return enqueueSteps(stream);
  }
  how = "replayed as a CUDA graph";
  return graph->launch(stream);
}

Error CudaProgram::enqueueSteps(CUstream stream) {
  auto resolve = [&](const LaunchArgument &argument) -> uint64_t {
    return argument.buffer < 0
               ? argument.bits
               : addresses[argument.buffer] + argument.byteOffset;
  };
  for (const StepRecord &step : loaded.steps) {
    if (step.kind == StepRecord::Kind::Copy) {
      if (Error error =
              device.driver.check(device.driver.cuMemcpyDtoDAsync_v2(
                                      resolve(step.destination),
                                      resolve(step.source), step.bytes, stream),
                                  "copy"))
        return error;
      continue;
    }
    // Scalars are little-endian in `bits`, so their address serves every size.
    llvm::SmallVector<uint64_t, 16> values;
    for (const LaunchArgument &argument : step.arguments)
      values.push_back(resolve(argument));
    llvm::SmallVector<void *, 16> pointers;
    for (uint64_t &value : values)
      pointers.push_back(&value);
    if (Error error = device.driver.check(
            device.driver.cuLaunchKernel(
                functions[step.kernel], step.grid[0], step.grid[1],
                step.grid[2], step.block[0], step.block[1], step.block[2],
                step.dynamicShared, stream, pointers.data(), nullptr),
            "launching kernel '" + Twine(loaded.kernels[step.kernel].name) +
                "'"))
      return error;
  }
  return Error::success();
}

Error CudaProgram::run(ArrayRef<DeviceAddress> arguments,
                       ArrayRef<DeviceAddress> results) {
  if (Error error = prepare(arguments, results, device.stream))
    return error;
  if (Error error = enqueue(device.stream))
    return error;
  return device.wait("running the program");
}
