// NumPy's .npy files, versions 1 to 3, C order, little-endian: enough to hand
// arguments in and results out.
#ifndef KERNELSKILL_LIB_DRIVER_NPY_H
#define KERNELSKILL_LIB_DRIVER_NPY_H

#include "KernelSkill/Runtime/Program.h"

namespace kernelskill {

/// A dense row-major array. bf16, which NumPy lacks, is stored as its 16 bits
/// in an array of type '<u2'.
struct NpyArray {
  std::string descriptor; // NumPy's type string, "<f4"
  std::vector<int64_t> shape;
  std::string data;
};

/// NumPy's type string of an element type.
llvm::StringRef npyDescriptor(ElementType type);

/// Errors name the file and what was found and expected.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);
llvm::Error writeNpy(llvm::StringRef path, const NpyArray &array);

/// An error unless the array is of the buffer's type and shape.
llvm::Error checkNpyFits(const NpyArray &array, const BufferRecord &buffer,
                         llvm::StringRef path);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_DRIVER_NPY_H
