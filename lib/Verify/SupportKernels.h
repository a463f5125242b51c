// The support kernels (Support.mlir) as functions on device buffers.
#ifndef KERNELSKILL_LIB_VERIFY_SUPPORTKERNELS_H
#define KERNELSKILL_LIB_VERIFY_SUPPORTKERNELS_H

#include "DeviceBuffer.h"

namespace kernelskill {

/// How ks_fill draws; the numbers are those of the kernel.
enum class DrawKind : uint8_t {
  Uniform,
  Normal,
  Heavy,
  Edge,
  Special,
  Zeros,
  Ones,
  Integer,
  Dropout
};

/// `scale * draw + shift`; integers of [shift, shift + scale) for Integer, and
/// for Dropout `scale` with probability 1 / scale, else 0.
/// Heavy tails reach `greatest` times a normal number, large edge values a
/// quarter of that.
struct Draw {
  DrawKind kind = DrawKind::Normal;
  double scale = 1, shift = 0;
  double greatest = 4096;
};

/// What ks_compare measured, over all elements.
struct Comparison {
  uint64_t elements = 0;
  double squaredError = 0, squaredOracle = 0, squaredScale = 0, sumOracle = 0;
  double squaredRatio = 0; // of ratios, each at most 16
  double fourthScale = 0;  // sum of the scales' fourth powers
  uint64_t scaled = 0;     // elements whose scale is not zero
  double worstRatio =
      -1; // of |y - o| to the allowed unit; -1: nothing measured
  int64_t worstIndex = -1;
  uint64_t mismatches = 0; // of NaN and infinities
  int64_t firstMismatch = -1;
  uint64_t counted = 0, zeros = 0, poisoned = 0, bothZero = 0;
  double least = 0, greatest = 0;
  uint64_t outside = 0; // mismatches and elements whose ratio is over the bound
  int64_t firstOutside = -1, lastOutside = -1;
};

struct IntegerComparison {
  uint64_t different = 0;
  int64_t first = -1, last = -1;
};

class SupportKernels {
public:
  static llvm::Expected<std::unique_ptr<SupportKernels>>
  create(Device &device, const Program &support);
  ~SupportKernels();

  /// Element types that can be drawn and compared.
  static bool supports(ElementType type);

  llvm::Error fill(DeviceAddress to, ElementType type, uint64_t elements,
                   uint64_t seed, const Draw &draw);
  /// f32, f16 and bf16 to f64, i16 to i32.
  llvm::Error widen(ElementType type, DeviceAddress from, DeviceAddress to,
                    uint64_t elements);
  /// |o| + rms.
  llvm::Error scale(DeviceAddress oracle, DeviceAddress to, uint64_t elements,
                    double rms);
  /// `candidate` and `plain` of a float type, oracle and scale f64. `bound` is
  /// in roundoffs of the type.
  llvm::Expected<Comparison> compare(ElementType type, DeviceAddress candidate,
                                     DeviceAddress plain, DeviceAddress oracle,
                                     DeviceAddress scale, uint64_t elements,
                                     double bound);
  /// `candidate` may be any of the three. Where there are choices, `other` has
  /// a byte for each element and each of them, which says whether it may be
  /// that.
  llvm::Expected<IntegerComparison>
  compareIntegers(ElementType type, DeviceAddress candidate,
                  DeviceAddress oracle, DeviceAddress plain,
                  DeviceAddress other, uint64_t elements, uint64_t choices = 0);
  /// Whether two buffers hold the same bytes.
  llvm::Expected<IntegerComparison>
  compareBytes(DeviceAddress a, DeviceAddress b, uint64_t bytes);

private:
  explicit SupportKernels(Device &device) : device(device) {}
  llvm::Error load(const Program &support);
  llvm::Error launch(llvm::StringRef kernel, llvm::ArrayRef<uint64_t> numbers,
                     llvm::ArrayRef<DeviceAddress> buffers);
  llvm::Expected<std::vector<double>> readPartials();
  llvm::Expected<DeviceAddress> widened(ElementType type, DeviceAddress from,
                                        uint64_t elements, DeviceBuffer &owner);

  Device &device;
  uint32_t blocks = 0, threads = 0;
  DeviceAddress numbers = 0, partials = 0;
  std::map<std::string, std::unique_ptr<LoadedProgram>> kernels;
};

/// The least error that is allowed at all: a float type's smallest normal
/// number, so that flushing to zero is no error.
double leastError(ElementType type);
bool isFloat(ElementType type);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_VERIFY_SUPPORTKERNELS_H
