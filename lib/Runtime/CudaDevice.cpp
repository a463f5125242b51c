// Memory, waits and times on a CUDA device; see the header.
#include "CudaDevice.h"

#include "CudaProgram.h"
#include "GuardBytes.h"

#include <chrono>
#include <thread>

using namespace kernelskill;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

// Bytes on each side of an allocation that nothing may write.
static constexpr uint64_t kGuard = 4096;

/// What the guard zone that begins at `begin` holds.
static std::vector<uint8_t> guardZone(DeviceAddress begin) {
  std::vector<uint8_t> zone(kGuard);
  for (uint64_t offset = 0; offset < kGuard; ++offset)
    zone[offset] = guardByteAt(begin + offset);
  return zone;
}

using Clock = std::chrono::steady_clock;
static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Expected<unsigned> kernelskill::countCudaDevices() {
  Expected<const CudaDriver *> driver = cudaDriver();
  if (!driver)
    return driver.takeError();
  int count = 0;
  if (Error error = (*driver)->check((*driver)->cuDeviceGetCount(&count),
                                     "counting CUDA devices"))
    return error;
  return count;
}

Expected<std::unique_ptr<Device>> kernelskill::openCudaDevice(unsigned index) {
  Expected<unsigned> count = countCudaDevices();
  if (!count)
    return count.takeError();
  if (index >= *count)
    return llvm::createStringError(
        "no CUDA device " + Twine(index) + ": the driver sees " +
        Twine(*count) + "; see 'nvidia-smi' and CUDA_VISIBLE_DEVICES");
  Expected<const CudaDriver *> driver = cudaDriver();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(**driver);
  if (Error error = device->open(index))
    return error;
  return device;
}

Error CudaDevice::open(unsigned index) {
  if (Error error = driver.check(driver.cuDeviceGet(&device, index),
                                 "opening the device"))
    return error;
  if (Error error =
          driver.check(driver.cuDevicePrimaryCtxRetain(&context, device),
                       "creating a context"))
    return error;
  driver.cuCtxSetCurrent(context);
  if (Error error =
          driver.check(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING),
                       "creating a stream"))
    return error;
  driver.cuEventCreate(&begin, CU_EVENT_DEFAULT);
  driver.cuEventCreate(&end, CU_EVENT_DEFAULT);

  auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    driver.cuDeviceGetAttribute(&value, which, device);
    return static_cast<uint32_t>(value);
  };
  char name[256] = {};
  driver.cuDeviceGetName(name, sizeof(name) - 1, device);
  int version = 0;
  driver.cuDriverGetVersion(&version);
  size_t free = 0, total = 0;
  driver.cuMemGetInfo_v2(&free, &total);
  DeviceProperties &p = deviceProperties;
  p.name = name;
  p.kind = "cuda";
  p.chip =
      "sm_" +
      std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) +
      std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  p.driverVersion = std::to_string(version / 1000) + "." +
                    std::to_string(version % 1000 / 10);
  p.memoryBytes = total;
  p.freeBytes = free;
  p.l2Bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  p.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  p.clockKHz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  p.memoryClockKHz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  return Error::success();
}

CudaDevice::~CudaDevice() {
  // After a hang every call of the driver would wait for the kernel; the
  // process is about to be thrown away.
  if (poisoned)
    return;
  for (auto [address, bytes] : allocations)
    driver.cuMemFree_v2(address - kGuard);
  if (begin)
    driver.cuEventDestroy_v2(begin);
  if (end)
    driver.cuEventDestroy_v2(end);
  if (stream)
    driver.cuStreamDestroy_v2(stream);
  if (context)
    driver.cuDevicePrimaryCtxRelease_v2(device);
}

Error CudaDevice::alive() const {
  if (!poisoned)
    return Error::success();
  return llvm::createStringError(
      "the CUDA device is unusable after a hang; start a new process");
}

Expected<DeviceAddress> CudaDevice::allocate(uint64_t bytes) {
  if (Error error = alive())
    return error;
  CUdeviceptr base = 0;
  if (Error error =
          driver.check(driver.cuMemAlloc_v2(&base, bytes + 2 * kGuard),
                       "allocating " + Twine(bytes) + " bytes"))
    return error;
  DeviceAddress address = base + kGuard;
  allocations[address] = bytes;
  for (DeviceAddress zone : {address - kGuard, address + bytes})
    if (Error error = copyToDevice(zone, guardZone(zone).data(), kGuard))
      return error;
  return address;
}

void CudaDevice::release(DeviceAddress address) {
  if (allocations.erase(address) && !poisoned)
    driver.cuMemFree_v2(address - kGuard);
}

Error CudaDevice::checkGuards() {
  std::vector<uint8_t> zone(kGuard);
  for (auto [address, bytes] : allocations) {
    for (bool before : {true, false}) {
      DeviceAddress begin = before ? address - kGuard : address + bytes;
      if (Error error = copyFromDevice(zone.data(), begin, kGuard))
        return error;
      std::vector<uint8_t> intact = guardZone(begin);
      auto bad = std::mismatch(zone.begin(), zone.end(), intact.begin()).first;
      if (bad == zone.end())
        continue;
      uint64_t offset = bad - zone.begin();
      return llvm::make_error<DeviceFault>(
          FaultKind::OutOfBounds,
          before
              ? llvm::formatv("a write {0} bytes before a buffer of {1} bytes",
                              kGuard - offset, bytes)
                    .str()
              : llvm::formatv(
                    "a write {0} bytes past the end of a buffer of {1} bytes",
                    offset, bytes)
                    .str());
    }
  }
  return Error::success();
}

Error CudaDevice::copyToDevice(DeviceAddress to, const void *from,
                               uint64_t bytes) {
  if (Error error = alive())
    return error;
  return driver.check(driver.cuMemcpyHtoD_v2(to, from, bytes),
                      "copying to the device");
}

Error CudaDevice::copyFromDevice(void *to, DeviceAddress from, uint64_t bytes) {
  if (Error error = wait("copying from the device"))
    return error;
  return driver.check(driver.cuMemcpyDtoH_v2(to, from, bytes),
                      "copying from the device");
}

Error CudaDevice::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  if (Error error = alive())
    return error;
  if (Error error =
          driver.check(driver.cuMemcpyDtoDAsync_v2(to, from, bytes, stream),
                       "copying on the device"))
    return error;
  return wait("copying on the device");
}

Error CudaDevice::fill(DeviceAddress to, uint8_t byte, uint64_t bytes) {
  if (Error error = alive())
    return error;
  return driver.check(driver.cuMemsetD8Async(to, byte, bytes, stream),
                      "filling memory");
}

Expected<std::unique_ptr<LoadedProgram>>
CudaDevice::load(const Program &program) {
  if (Error error = alive())
    return error;
  auto loaded = std::make_unique<CudaProgram>(*this, program);
  if (Error error = loaded->load())
    return error;
  return loaded;
}

Error CudaDevice::wait(const Twine &what) {
  if (Error error = alive())
    return error;
  Clock::time_point start = Clock::now();
  while (true) {
    CUresult result = driver.cuStreamQuery(stream);
    if (result == CUDA_SUCCESS)
      return Error::success();
    if (result != CUDA_ERROR_NOT_READY) {
      poisoned = true;
      return driver.check(result, what);
    }
    double seconds = secondsSince(start);
    if (seconds > timeLimit) {
      poisoned = true;
      return llvm::make_error<DeviceFault>(
          FaultKind::Timeout, llvm::formatv("{0}: not finished after {1:f1} s",
                                            what.str(), timeLimit)
                                  .str());
    }
    // Short runs are polled without a pause, so that they cost no latency.
    if (seconds > 1e-3)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

Error CudaDevice::flushL2() {
  if (!flushBuffer) {
    // Twice the cache: what was in it is surely written back and replaced.
    flushBytes = std::max<uint64_t>(2 * deviceProperties.l2Bytes, 64 << 20);
    Expected<DeviceAddress> memory = allocate(flushBytes);
    if (!memory)
      return memory.takeError();
    flushBuffer = *memory;
  }
  return fill(flushBuffer, 0, flushBytes);
}

Expected<double> CudaDevice::timeOnce(llvm::function_ref<Error()> body,
                                      const Twine &what) {
  if (Error error = alive())
    return error;
  driver.cuEventRecord(begin, stream);
  if (Error error = body())
    return error;
  driver.cuEventRecord(end, stream);
  if (Error error = wait(what))
    return error;
  float milliseconds = 0;
  if (Error error =
          driver.check(driver.cuEventElapsedTime_v2(&milliseconds, begin, end),
                       "reading the time"))
    return error;
  return milliseconds;
}

Expected<std::vector<TimeSample>> CudaDevice::time(ArrayRef<TimedRun> runs,
                                                   unsigned rounds,
                                                   double budgetSeconds) {
  for (const TimedRun &run : runs)
    if (Error error = run.program->run(run.arguments, run.results))
      return error;
  std::vector<TimeSample> samples(runs.size());
  Clock::time_point start = Clock::now();
  for (unsigned round = 0; round < rounds; ++round) {
    if (round >= 3 && secondsSince(start) > budgetSeconds)
      break;
    for (size_t i = 0; i < runs.size(); ++i) {
      // Every second round runs backwards, so that no program always follows
      // the same one.
      size_t index = round % 2 ? runs.size() - 1 - i : i;
      auto &program = static_cast<CudaProgram &>(*runs[index].program);
      if (Error error = program.prepare(runs[index].arguments,
                                        runs[index].results, stream))
        return error;
      if (Error error = flushL2())
        return error;
      Expected<double> milliseconds = timeOnce(
          [&] { return program.enqueue(stream); }, "timing the program");
      if (!milliseconds)
        return milliseconds.takeError();
      samples[index].milliseconds.push_back(*milliseconds);
    }
  }
  return samples;
}

Expected<double> CudaDevice::copyBandwidth(uint64_t bytes) {
  Expected<DeviceAddress> from = allocate(bytes);
  if (!from)
    return from.takeError();
  Expected<DeviceAddress> to = allocate(bytes);
  if (!to) {
    release(*from);
    return to.takeError();
  }
  std::vector<double> times;
  Error failure = fill(*from, 0, bytes);
  for (unsigned round = 0; !failure && round < 8; ++round) {
    failure = flushL2();
    if (failure)
      break;
    Expected<double> milliseconds = timeOnce(
        [&] {
          return driver.check(
              driver.cuMemcpyDtoDAsync_v2(*to, *from, bytes, stream), "copy");
        },
        "timing a copy");
    if (!milliseconds)
      failure = milliseconds.takeError();
    else if (round > 0)
      times.push_back(*milliseconds);
  }
  release(*from);
  release(*to);
  if (failure)
    return failure;
  return 2.0 * bytes / (medianInterval(times).median * 1e-3);
}

Expected<std::vector<std::map<std::string, double>>>
CudaDevice::counters(const TimedRun &run, ArrayRef<std::string> metrics) {
  if (Error error = run.program->run(run.arguments, run.results))
    return error;
  auto &program = static_cast<CudaProgram &>(*run.program);
  unsigned launches =
      llvm::count_if(program.program().steps, [](const StepRecord &step) {
        return step.kind == StepRecord::Kind::Launch;
      });
  // The caches are as cold as when a run is timed.
  auto prepare = [&]() -> Error {
    if (Error error = flushL2())
      return error;
    return wait("emptying the caches");
  };
  // A graph would be one range of the profiler, not one a kernel.
  auto body = [&]() -> Error {
    if (Error error = program.enqueueSteps(stream))
      return error;
    return wait("collecting counters");
  };
  return collectCounters(*this, metrics, launches, prepare, body);
}
