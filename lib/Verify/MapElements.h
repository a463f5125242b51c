// A tensor made element by element of others of its shape.
#ifndef KERNELSKILL_VERIFY_MAPELEMENTS_H
#define KERNELSKILL_VERIFY_MAPELEMENTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace kernelskill {

/// The op is put at the builder's insertion point. `body` gives an element,
/// of type `element`, of the inputs' elements at the same place. At least one
/// input; all are ranked tensors of one static shape.
mlir::Value
mapElements(mlir::OpBuilder &builder, mlir::Location loc,
            mlir::ValueRange inputs, mlir::Type element,
            llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                           mlir::ValueRange)>
                body);

} // namespace kernelskill

#endif // KERNELSKILL_VERIFY_MAPELEMENTS_H
