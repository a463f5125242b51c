// Memory and loading on the CPU device; see the header.
#include "CpuDevice.h"

#include "CpuProgram.h"

using namespace llvm;
using namespace kernelskill;

Expected<std::unique_ptr<Device>> CpuDevice::open() {
  std::unique_ptr<CpuDevice> device(new CpuDevice);
  if (Error error = device->memory.reserve())
    return std::move(error);
  device->execution = std::make_unique<CpuExecution>(device->memory);
  DeviceProperties &properties = device->deviceProperties;
  properties.name = "CPU device";
  properties.kind = "cpu";
  properties.memoryBytes = properties.freeBytes = machineMemoryBytes();
  return device;
}

Error CpuDevice::copyToDevice(DeviceAddress to, const void *from,
                              uint64_t bytes) {
  Expected<void *> place = memory.find(to, bytes, "copy to the device");
  if (!place)
    return place.takeError();
  if (bytes)
    memcpy(*place, from, bytes);
  return Error::success();
}

Error CpuDevice::copyFromDevice(void *to, DeviceAddress from, uint64_t bytes) {
  Expected<void *> place = memory.find(from, bytes, "copy from the device");
  if (!place)
    return place.takeError();
  if (bytes)
    memcpy(to, *place, bytes);
  return Error::success();
}

Error CpuDevice::copy(DeviceAddress to, DeviceAddress from, uint64_t bytes) {
  Expected<void *> target = memory.find(to, bytes, "copy to");
  if (!target)
    return target.takeError();
  Expected<void *> source = memory.find(from, bytes, "copy from");
  if (!source)
    return source.takeError();
  memmove(*target, *source, bytes);
  return Error::success();
}

Error CpuDevice::fill(DeviceAddress to, uint8_t byte, uint64_t bytes) {
  Expected<void *> place = memory.find(to, bytes, "fill");
  if (!place)
    return place.takeError();
  memset(*place, byte, bytes);
  return Error::success();
}

Expected<std::unique_ptr<LoadedProgram>>
CpuDevice::load(const Program &program) {
  if (Error error = verifyProgram(program))
    return std::move(error);
  // A program that only copies has no kernels and needs no image.
  if (program.kernels.empty())
    return std::make_unique<CpuProgram>(*this, program, nullptr);
  const ImageRecord *object = program.image(ImageRecord::Kind::CpuObject);
  if (!object)
    return createStringError("the program has no CPU image; build it again "
                             "with 'kernelskill build'");
  Expected<std::unique_ptr<CpuImage>> image =
      CpuImage::link(object->bytes, program);
  if (!image)
    return image.takeError();
  return std::make_unique<CpuProgram>(*this, program, std::move(*image));
}

static Error measuresNothing(StringRef what) {
  return createStringError("the CPU device measures nothing, so it has no " +
                           what + "; open a CUDA device ('cuda:0') for that");
}

Expected<std::vector<TimeSample>> CpuDevice::time(ArrayRef<TimedRun>, unsigned,
                                                  double) {
  return measuresNothing("times");
}

Expected<double> CpuDevice::copyBandwidth(uint64_t) {
  return measuresNothing("copy bandwidth");
}

Expected<std::vector<std::map<std::string, double>>>
CpuDevice::counters(const TimedRun &, ArrayRef<std::string>) {
  return measuresNothing("counters");
}
