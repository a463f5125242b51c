// Device memory with an owner.
#ifndef KERNELSKILL_LIB_VERIFY_DEVICEBUFFER_H
#define KERNELSKILL_LIB_VERIFY_DEVICEBUFFER_H

#include "KernelSkill/Runtime/Device.h"

namespace kernelskill {

class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer &&other) { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) {
    std::swap(device, other.device);
    std::swap(at, other.at);
    std::swap(length, other.length);
    return *this;
  }
  ~DeviceBuffer() { reset(); }

  static llvm::Expected<DeviceBuffer> allocate(Device &device, uint64_t bytes) {
    llvm::Expected<DeviceAddress> address = device.allocate(bytes);
    if (!address)
      return address.takeError();
    DeviceBuffer buffer;
    buffer.device = &device;
    buffer.at = *address;
    buffer.length = bytes;
    return std::move(buffer);
  }

  DeviceAddress address() const { return at; }
  uint64_t bytes() const { return length; }
  void reset() {
    if (device)
      device->release(at);
    device = nullptr;
    at = length = 0;
  }
  /// Gives up ownership.
  DeviceAddress take() {
    device = nullptr;
    return at;
  }

private:
  Device *device = nullptr;
  DeviceAddress at = 0;
  uint64_t length = 0;
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_VERIFY_DEVICEBUFFER_H
