// Operations that move data, in the forms that dispatches know.
#ifndef KERNELSKILL_LIB_GRAPH_DATAOPS_H
#define KERNELSKILL_LIB_GRAPH_DATAOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// An elementwise operation of a result of this type, over all its dimensions.
mlir::linalg::GenericOp
createElementwise(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::RankedTensorType type, mlir::ValueRange inputs,
                  llvm::ArrayRef<mlir::AffineMap> maps,
                  llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                          mlir::ValueRange)>
                      body);

/// Turns concatenations and insertions into generics over padded tensors, so
/// that slices, constant padding and insertion into a fill are left.
void populateDataOpPatterns(mlir::RewritePatternSet &patterns);

/// Turns tensor.extract at positions that are affine in the loops (flips) into
/// operands with indexing maps.
void populateExtractPatterns(mlir::RewritePatternSet &patterns);

/// Slices the inputs of windows that read only part of them, so that dropping
/// loops of extent 1 leaves maps that agree with the shapes.
void trimWindows(mlir::func::FuncOp function);

/// Copies slices and padded tensors where what uses them can't read in place:
/// views, contractions, scans, padding with another value, the function's
/// results.
void materializeReads(mlir::func::FuncOp function);

} // namespace kernelskill

#endif // KERNELSKILL_LIB_GRAPH_DATAOPS_H
