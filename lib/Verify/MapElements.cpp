// Makes linalg.generic ops that map elements; see the header.
#include "MapElements.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

Value kernelskill::mapElements(
    OpBuilder &builder, Location loc, ValueRange inputs, Type element,
    llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  auto shape = cast<RankedTensorType>(inputs.front().getType()).getShape();
  auto type = RankedTensorType::get(shape, element);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, element);
  return linalg::GenericOp::create(
             builder, loc, TypeRange{type}, inputs, ValueRange{empty}, maps,
             iterators,
             [&](OpBuilder &inner, Location at, ValueRange args) {
               ImplicitLocOpBuilder b(at, inner);
               linalg::YieldOp::create(b,
                                       ValueRange{body(b, args.drop_back())});
             })
      .getResult(0);
}
