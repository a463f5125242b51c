// Tensors that need not be made, because what reads them can read another
// tensor: slices, and elements with a constant around and between them
// (padding, and the zero-stuffing of transposed convolutions).
#ifndef KERNELSKILL_ANALYSIS_INPLACEREAD_H
#define KERNELSKILL_ANALYSIS_INPLACEREAD_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace kernelskill {

/// Padded (`padding` is not null): element (offset + i * stride) along each
/// dimension is element i of `source`, for 0 <= i < size; everything else is
/// `padding`. A slice: element i is the source's (offset + i * stride).
struct InPlaceRead {
  struct Dim {
    int64_t offset, size, stride;
    /// The source (for a slice, the tensor) lacks the dimension, of size 1.
    bool dropped;
  };
  mlir::Value source;
  llvm::SmallVector<Dim> dims;
  mlir::TypedAttr padding;
};

/// Matches tensor.pad with a constant, tensor.insert_slice into a fill, and
/// tensor.extract_slice, all static.
std::optional<InPlaceRead> matchInPlaceRead(mlir::Value tensor);

} // namespace kernelskill

#endif // KERNELSKILL_ANALYSIS_INPLACEREAD_H
