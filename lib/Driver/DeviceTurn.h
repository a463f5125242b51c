// Lets one process at a time judge and measure on a GPU: what runs beside a
// measurement spoils it. Runs build at the same time and take turns on the GPU.
#ifndef KERNELSKILL_LIB_DRIVER_DEVICETURN_H
#define KERNELSKILL_LIB_DRIVER_DEVICETURN_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace kernelskill {

class DeviceTurn {
public:
  /// Waits until nobody else has the turn on `device` ("cuda:N", as this
  /// process counts: what CUDA_VISIBLE_DEVICES makes of it is not looked at).
  /// Nothing after an interrupt. The CPU device needs no turns. Where no lock
  /// file can be made there are none either: a measurement is better than none.
  static std::optional<DeviceTurn> take(llvm::StringRef device);
  /// The file whose lock is the turn; kernelskill-bench locks it, too.
  static std::string lockFile(llvm::StringRef device);

  DeviceTurn(DeviceTurn &&other);
  DeviceTurn &operator=(DeviceTurn &&) = delete;
  ~DeviceTurn();

private:
  explicit DeviceTurn(int descriptor) : descriptor(descriptor) {}
  int descriptor; // -1: none
};

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_DEVICETURN_H
