// What the zones before and behind a device's buffers are filled with.
#ifndef KERNELSKILL_LIB_RUNTIME_GUARDBYTES_H
#define KERNELSKILL_LIB_RUNTIME_GUARDBYTES_H

#include <cstdint>

namespace kernelskill {

/// The byte that a guard zone has at `address` (splitmix64 of its word). Every
/// word is another: were they alike, a kernel that copies what lies behind one
/// buffer to behind another, or maps it to itself (x * x + x does with any
/// small x), would leave them as they are, and its writes unseen. The high bits
/// are set so that no byte of 0.0 or 1.0 is one.
inline uint8_t guardByteAt(uint64_t address) {
  uint64_t word = (address >> 3) * 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return 0xc0 |
         static_cast<uint8_t>((word ^ (word >> 31)) >> (8 * (address & 7)));
}

} // namespace kernelskill

#endif // KERNELSKILL_LIB_RUNTIME_GUARDBYTES_H
