// Emits index arithmetic, loads, stores and cloned bodies.
#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace kernelskill;

Value kernelskill::constantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// Could the expression of loops be negative (as outside of a padded tensor)?
static bool mayBeNegative(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() < 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return binary &&
         (mayBeNegative(binary.getLHS()) || mayBeNegative(binary.getRHS()));
}

Value kernelskill::emitExpr(ImplicitLocOpBuilder &b, AffineExpr expr,
                            ValueRange dims) {
  // No element lies past 2^63, and where the lowering takes 32 bits it has
  // checked that none lies past 2^31.
  auto nsw = arith::IntegerOverflowFlags::nsw;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constantIndex(b, constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value left = emitExpr(b, binary.getLHS(), dims);
  Value right = emitExpr(b, binary.getRHS(), dims);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(left, right, nsw);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(left, right, nsw);
  // Of a negative number only exact quotients and remainders of 0 are looked
  // at, for which rounding to zero does.
  case AffineExprKind::Mod:
    if (mayBeNegative(binary.getLHS()))
      return b.createOrFold<arith::RemSIOp>(left, right);
    return b.createOrFold<arith::RemUIOp>(left, right);
  case AffineExprKind::FloorDiv:
    if (mayBeNegative(binary.getLHS()))
      return b.createOrFold<arith::DivSIOp>(left, right);
    return b.createOrFold<arith::DivUIOp>(left, right);
  default:
    return b.createOrFold<arith::CeilDivUIOp>(left, right);
  }
}

SmallVector<Value> kernelskill::emitDelinearize(ImplicitLocOpBuilder &b,
                                                Value flat,
                                                ArrayRef<int64_t> extents) {
  SmallVector<Value> values(extents.size());
  for (int64_t i = extents.size() - 1; i >= 0; --i) {
    if (i == 0) {
      values[i] = flat;
      break;
    }
    Value extent = constantIndex(b, extents[i]);
    values[i] = b.createOrFold<arith::RemUIOp>(flat, extent);
    flat = b.createOrFold<arith::DivUIOp>(flat, extent);
  }
  return values;
}

/// The loops' values of lane `i`.
static SmallVector<Value> laneLoops(ImplicitLocOpBuilder &b, ValueRange loops,
                                    Lanes lanes, int64_t i) {
  SmallVector<Value> values(loops);
  if (i != 0)
    values[lanes.loop] =
        b.createOrFold<arith::AddIOp>(values[lanes.loop], constantIndex(b, i),
                                      arith::IntegerOverflowFlags::nsw);
  return values;
}

/// How the lanes of an access lie: all on one element, in a row, or apart.
enum class Layout { Uniform, Contiguous, Apart };

static Layout layoutOf(const Access &access, ValueRange loops, Lanes lanes) {
  if (lanes.width == 1 || !access.isFunctionOfLoop(lanes.loop))
    return Layout::Uniform;
  auto strides = access.strides(loops.size());
  // Booleans are a byte each in memory, but a bit each in a vector.
  if (strides && (*strides)[lanes.loop] == 1 &&
      access.elementType().getIntOrFloatBitWidth() >= 8)
    return Layout::Contiguous;
  return Layout::Apart;
}

/// Bytes that the first lane's address is a multiple of, given that the
/// buffer's is aligned enough.
static llvm::MaybeAlign alignmentOf(const Access &access, ValueRange loops,
                                    Lanes lanes) {
  auto strides = access.strides(loops.size());
  int64_t elements = lanes.aligned ? lanes.width : 1;
  for (auto [loop, stride] : llvm::enumerate(*strides))
    if (loop != lanes.loop)
      elements = std::gcd(elements, stride);
  int64_t bytes = elements * access.elementType().getIntOrFloatBitWidth() / 8;
  return llvm::Align(bytes & -bytes);
}

/// One element: outside of the bounds the padding, and element 0 is read.
static Value emitElement(ImplicitLocOpBuilder &b, const Access &access,
                         Value buffer, ValueRange loops) {
  Value inside;
  for (const Access::Bound &bound : access.bounds) {
    Value holds = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                        emitExpr(b, bound.expr, loops),
                                        constantIndex(b, bound.size));
    inside = inside ? b.createOrFold<arith::AndIOp>(inside, holds) : holds;
  }
  Value offset = emitExpr(b, access.offset, loops);
  if (!inside)
    return memref::LoadOp::create(b, buffer, offset);
  offset = arith::SelectOp::create(b, inside, offset, constantIndex(b, 0));
  Value element = memref::LoadOp::create(b, buffer, offset);
  Value padding = arith::ConstantOp::create(b, access.padding);
  return arith::SelectOp::create(b, inside, element, padding);
}

Value kernelskill::emitLoad(ImplicitLocOpBuilder &b, const Access &access,
                            Value buffer, ValueRange loops, Lanes lanes) {
  switch (layoutOf(access, loops, lanes)) {
  case Layout::Uniform:
    return emitElement(b, access, buffer, loops);
  case Layout::Contiguous:
    return vector::LoadOp::create(
        b, VectorType::get(lanes.width, access.elementType()), buffer,
        emitExpr(b, access.offset, loops), /*nontemporal=*/false,
        alignmentOf(access, loops, lanes));
  case Layout::Apart:
    break;
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < lanes.width; ++i)
    elements.push_back(
        emitElement(b, access, buffer, laneLoops(b, loops, lanes, i)));
  return vector::FromElementsOp::create(
      b, VectorType::get(lanes.width, access.elementType()), elements);
}

void kernelskill::emitStore(ImplicitLocOpBuilder &b, const Access &access,
                            Value buffer, Value value, ValueRange loops,
                            Lanes lanes) {
  switch (layoutOf(access, loops, lanes)) {
  case Layout::Uniform:
    memref::StoreOp::create(b, emitLane(b, value, 0), buffer,
                            emitExpr(b, access.offset, loops));
    return;
  case Layout::Contiguous:
    vector::StoreOp::create(b, emitBroadcast(b, value, lanes.width), buffer,
                            emitExpr(b, access.offset, loops),
                            /*nontemporal=*/false,
                            alignmentOf(access, loops, lanes));
    return;
  case Layout::Apart:
    break;
  }
  for (int64_t i = 0; i < lanes.width; ++i)
    memref::StoreOp::create(
        b, emitLane(b, value, i), buffer,
        emitExpr(b, access.offset, laneLoops(b, loops, lanes, i)));
}

Value kernelskill::emitBroadcast(ImplicitLocOpBuilder &b, Value value,
                                 int64_t width) {
  if (width == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(b, VectorType::get(width, value.getType()),
                                     value);
}

Value kernelskill::emitLane(ImplicitLocOpBuilder &b, Value value, int64_t i) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return b.createOrFold<vector::ExtractOp>(value, i);
}

/// linalg.index: a scalar, or a vector where it differs between lanes.
static Value emitIndex(ImplicitLocOpBuilder &b, AffineExpr dim,
                       ValueRange loops, Lanes lanes) {
  if (lanes.width == 1 || !dim.isFunctionOfDim(lanes.loop))
    return emitExpr(b, dim, loops);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < lanes.width; ++i)
    elements.push_back(emitExpr(b, dim, laneLoops(b, loops, lanes, i)));
  return vector::FromElementsOp::create(
      b, VectorType::get(lanes.width, b.getIndexType()), elements);
}

/// Clones one op: on scalars, on vectors, or lane by lane.
static void cloneOp(ImplicitLocOpBuilder &b, Operation &op, IRMapping &map,
                    Lanes lanes) {
  bool onVectors = llvm::any_of(op.getOperands(), [&](Value operand) {
    return isa<VectorType>(map.lookup(operand).getType());
  });
  if (!onVectors) {
    b.clone(op, map);
    return;
  }
  if (OpTrait::hasElementwiseMappableTraits(&op)) {
    IRMapping vectors;
    for (Value operand : op.getOperands())
      vectors.map(operand, emitBroadcast(b, map.lookup(operand), lanes.width));
    Operation *clone = b.clone(op, vectors);
    for (auto [result, old] : llvm::zip(clone->getResults(), op.getResults())) {
      result.setType(VectorType::get(lanes.width, old.getType()));
      map.map(old, result);
    }
    return;
  }
  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (int64_t i = 0; i < lanes.width; ++i) {
    IRMapping scalars = map;
    for (Value operand : op.getOperands())
      scalars.map(operand, emitLane(b, map.lookup(operand), i));
    for (auto [list, result] :
         llvm::zip(results, b.clone(op, scalars)->getResults()))
      list.push_back(result);
  }
  for (auto [list, old] : llvm::zip(results, op.getResults()))
    map.map(old, vector::FromElementsOp::create(
                     b, VectorType::get(lanes.width, old.getType()), list));
}

/// tensor.extract as a load, lane by lane where the position differs.
static Value emitExtract(Kernel &kernel, tensor::ExtractOp op, IRMapping &map,
                         Lanes lanes) {
  ImplicitLocOpBuilder &b = kernel.b;
  bool onVectors = llvm::any_of(op.getIndices(), [&](Value index) {
    return isa<VectorType>(map.lookup(index).getType());
  });
  SmallVector<Value> elements;
  for (int64_t i = 0; i < (onVectors ? lanes.width : 1); ++i) {
    SmallVector<Value> position;
    for (Value index : op.getIndices())
      position.push_back(emitLane(b, map.lookup(index), i));
    elements.push_back(
        memref::LoadOp::create(b, kernel.buffers.at(op.getTensor()), position));
  }
  if (!onVectors)
    return elements.front();
  return vector::FromElementsOp::create(
      b, VectorType::get(lanes.width, op.getType()), elements);
}

SmallVector<Value> kernelskill::cloneBody(Kernel &kernel, linalg::LinalgOp op,
                                          ValueRange wanted,
                                          ArrayRef<Value> arguments,
                                          ArrayRef<AffineExpr> dims,
                                          ValueRange loops, Lanes lanes) {
  ImplicitLocOpBuilder &b = kernel.b;
  Block *body = op.getBlock();
  IRMapping map;
  for (auto [argument, value] : llvm::zip(body->getArguments(), arguments))
    if (value)
      map.map(argument, value);
  // The ops that `wanted` needs, last to first.
  llvm::SetVector<Operation *> needed;
  auto need = [&](Value value) {
    if (Operation *def = value.getDefiningOp())
      needed.insert(def);
  };
  llvm::for_each(wanted, need);
  for (unsigned i = 0; i < needed.size(); ++i)
    needed[i]->walk([&](Operation *nested) {
      llvm::for_each(nested->getOperands(), need);
    });
  // Constants from outside of the region come first.
  for (Operation *outer : needed)
    if (outer->getParentOp()->isProperAncestor(op) &&
        outer->hasTrait<OpTrait::ConstantLike>())
      b.clone(*outer, map);
  for (Operation &inner : *body) {
    if (!needed.contains(&inner))
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      map.map(index.getResult(),
              emitIndex(b, dims[index.getDim()], loops, lanes));
    else if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      map.map(extract.getResult(), emitExtract(kernel, extract, map, lanes));
    else
      cloneOp(b, inner, map, lanes);
  }
  return llvm::map_to_vector(wanted,
                             [&](Value value) { return map.lookup(value); });
}
