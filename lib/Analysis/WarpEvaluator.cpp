// Evaluates index expressions of a kernel for the 32 threads of one warp.
#include "WarpEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

static Lanes splat(int64_t value) {
  Lanes lanes;
  lanes.fill(value);
  return lanes;
}

/// Applies `f` lane by lane; nothing if an operand has no value or `f` has none
/// for some lane.
template <typename F>
static std::optional<Lanes> zip(const std::optional<Lanes> &a,
                                const std::optional<Lanes> &b, F f) {
  if (!a || !b)
    return std::nullopt;
  Lanes result;
  for (unsigned i = 0; i < kWarp; ++i) {
    std::optional<int64_t> value = f((*a)[i], (*b)[i]);
    if (!value)
      return std::nullopt;
    result[i] = *value;
  }
  return result;
}

WarpEvaluator::WarpEvaluator(Dim3 grid, Dim3 block, int64_t blockIndex,
                             int64_t warp)
    : grid(grid), block(block), warp(warp) {
  blockId = {blockIndex % grid[0], blockIndex / grid[0] % grid[1],
             blockIndex / grid[0] / grid[1]};
  int64_t threads = block[0] * block[1] * block[2];
  for (unsigned lane = 0; lane < kWarp; ++lane) {
    int64_t thread = warp * kWarp + lane;
    if (thread < threads)
      active |= 1u << lane;
    threadId[0][lane] = thread % block[0];
    threadId[1][lane] = thread / block[0] % block[1];
    threadId[2][lane] = thread / block[0] / block[1];
  }
}

void WarpEvaluator::bind(Value value, const Lanes &lanes) {
  bound[value] = lanes;
  // Only few values are cached at a time, so all may go.
  cache.clear();
}

std::optional<Lanes> WarpEvaluator::evaluate(Value value) {
  if (auto found = bound.find(value); found != bound.end())
    return found->second;
  if (auto found = cache.find(value); found != cache.end())
    return found->second;
  std::optional<Lanes> lanes = compute(value);
  cache[value] = lanes;
  return lanes;
}

std::optional<Lanes> WarpEvaluator::compute(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return splat(constant.getBitWidth() == 1 ? constant.getZExtValue()
                                             : constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // A value carried around a loop has its initial value in the first
    // iteration, which is the one that is sampled.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr)
      return evaluate(init->get());
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::GPUDialect>(op->getDialect()))
    return computeId(op);
  if (isa<affine::AffineDialect>(op->getDialect()))
    return computeAffine(cast<OpResult>(value));
  return computeArith(op);
}

std::optional<Lanes> WarpEvaluator::computeId(Operation *op) {
  auto axis = [](gpu::Dimension dimension) {
    return static_cast<unsigned>(dimension);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Lanes>>(op)
      .Case(
          [&](gpu::ThreadIdOp id) { return threadId[axis(id.getDimension())]; })
      .Case([&](gpu::BlockIdOp id) {
        return splat(blockId[axis(id.getDimension())]);
      })
      .Case([&](gpu::BlockDimOp id) {
        return splat(block[axis(id.getDimension())]);
      })
      .Case([&](gpu::GridDimOp id) {
        return splat(grid[axis(id.getDimension())]);
      })
      .Case([&](gpu::GlobalIdOp id) {
        unsigned i = axis(id.getDimension());
        return zip(threadId[i], splat(blockId[i] * block[i]),
                   [](int64_t a, int64_t b) { return std::optional(a + b); });
      })
      .Case([&](gpu::LaneIdOp) {
        Lanes lanes;
        for (unsigned i = 0; i < kWarp; ++i)
          lanes[i] = i;
        return std::optional<Lanes>(lanes);
      })
      .Case([&](gpu::SubgroupIdOp) { return splat(warp); })
      .Case([&](gpu::SubgroupSizeOp) { return splat(kWarp); })
      .Case([&](gpu::NumSubgroupsOp) {
        return splat(llvm::divideCeil(block[0] * block[1] * block[2], kWarp));
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// One integer operation; nothing where it has no result or isn't known here.
static std::optional<int64_t> apply(Operation *op, int64_t a, int64_t b) {
  using Result = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return a + b; })
      .Case<arith::SubIOp>([&](auto) { return a - b; })
      .Case<arith::MulIOp>([&](auto) { return a * b; })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](auto) { return b ? Result(a / b) : std::nullopt; })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return b ? Result(a % b) : std::nullopt; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) {
        return b ? Result(llvm::divideCeilSigned(a, b)) : std::nullopt;
      })
      .Case<arith::FloorDivSIOp>([&](auto) {
        return b ? Result(llvm::divideFloorSigned(a, b)) : std::nullopt;
      })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { return std::min(a, b); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { return std::max(a, b); })
      .Case<arith::AndIOp>([&](auto) { return a & b; })
      .Case<arith::OrIOp>([&](auto) { return a | b; })
      .Case<arith::XOrIOp>([&](auto) { return a ^ b; })
      .Case<arith::ShLIOp>([&](auto) {
        return b >= 0 && b < 63 ? Result(a << b) : std::nullopt;
      })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) {
        return b >= 0 && b < 63 ? Result(a >> b) : std::nullopt;
      })
      .Case([&](arith::CmpIOp compare) -> Result {
        return arith::applyCmpPredicate(compare.getPredicate(), APInt(64, a),
                                        APInt(64, b));
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<Lanes> WarpEvaluator::computeArith(Operation *op) {
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return evaluate(op->getOperand(0));
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = evaluate(select.getCondition());
    auto yes = evaluate(select.getTrueValue());
    auto no = evaluate(select.getFalseValue());
    if (!condition || !yes || !no)
      return std::nullopt;
    for (unsigned i = 0; i < kWarp; ++i)
      (*yes)[i] = (*condition)[i] ? (*yes)[i] : (*no)[i];
    return yes;
  }
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      !op->getOperand(0).getType().isIntOrIndex() ||
      !op->getOperand(1).getType().isIntOrIndex())
    return std::nullopt;
  return zip(evaluate(op->getOperand(0)), evaluate(op->getOperand(1)),
             [&](int64_t a, int64_t b) { return apply(op, a, b); });
}

/// The value of an affine expression, or nothing for a division by zero.
static std::optional<int64_t> evaluateExpr(AffineExpr expr,
                                           ArrayRef<int64_t> dims,
                                           ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto a = evaluateExpr(binary.getLHS(), dims, symbols);
  auto b = evaluateExpr(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *a + *b;
  if (expr.getKind() == AffineExprKind::Mul)
    return *a * *b;
  if (*b == 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mod)
    return llvm::mod(*a, *b);
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return llvm::divideFloorSigned(*a, *b);
  return llvm::divideCeilSigned(*a, *b);
}

/// The result of an affine op for the given operands.
static std::optional<int64_t> applyAffine(OpResult result,
                                          ArrayRef<int64_t> operands) {
  Operation *op = result.getOwner();
  auto ofMap = [&](AffineMap map) {
    std::optional<int64_t> best;
    for (AffineExpr expr : map.getResults()) {
      auto value = evaluateExpr(expr, operands.take_front(map.getNumDims()),
                                operands.drop_front(map.getNumDims()));
      if (!value)
        return std::optional<int64_t>();
      if (!best ||
          (isa<affine::AffineMinOp>(op) ? *value < *best : *value > *best))
        best = value;
    }
    return best;
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return ofMap(apply.getMap());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return ofMap(min.getMap());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return ofMap(max.getMap());
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    if (!split.getDynamicBasis().empty())
      return std::nullopt;
    // The basis may lack its outermost, unbounded element.
    int64_t rest = operands[0];
    ArrayRef<int64_t> basis = split.getStaticBasis();
    unsigned first = split->getNumResults() - basis.size();
    for (unsigned i = split->getNumResults(); i-- > 0;) {
      if (i < first || i == 0)
        return i == result.getResultNumber() ? std::optional(rest)
                                             : std::nullopt;
      int64_t extent = basis[i - first];
      if (i == result.getResultNumber())
        return llvm::mod(rest, extent);
      rest = llvm::divideFloorSigned(rest, extent);
    }
    return std::nullopt;
  }
  if (auto join = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    ArrayRef<int64_t> basis = join.getStaticBasis();
    size_t indices = join.getMultiIndex().size();
    if (!join.getDynamicBasis().empty())
      return std::nullopt;
    int64_t value = 0;
    for (size_t i = 0; i < indices; ++i)
      value = value * (i == 0 ? 1 : basis[basis.size() - indices + i]) +
              operands[i];
    return value;
  }
  return std::nullopt;
}

std::optional<Lanes> WarpEvaluator::computeAffine(OpResult result) {
  SmallVector<Lanes> operands;
  for (Value operand : result.getOwner()->getOperands()) {
    auto lanes = evaluate(operand);
    if (!lanes)
      return std::nullopt;
    operands.push_back(*lanes);
  }
  Lanes lanes;
  for (unsigned i = 0; i < kWarp; ++i) {
    SmallVector<int64_t> values;
    for (const Lanes &operand : operands)
      values.push_back(operand[i]);
    auto value = applyAffine(result, values);
    if (!value)
      return std::nullopt;
    lanes[i] = *value;
  }
  return lanes;
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static int64_t elementBytesOf(MemRefType type) {
  Type element = type.getElementType();
  if (auto vector = dyn_cast<VectorType>(element))
    return vector.getNumElements() *
           llvm::divideCeil(vector.getElementTypeBitWidth(), 8);
  return element.isIndex()
             ? 8
             : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

std::optional<WarpEvaluator::Address> WarpEvaluator::base(Value memref) {
  if (auto argument = dyn_cast<BlockArgument>(memref)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr)
      return base(init->get());
    return Address{memref, splat(0)};
  }
  Operation *op = memref.getDefiningOp();
  if (isa<memref::ExpandShapeOp, memref::CollapseShapeOp, memref::CastOp,
          memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(op))
    return base(op->getOperand(0));
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    std::optional<Address> result = base(view.getSource());
    SmallVector<int64_t> strides;
    int64_t start;
    MemRefType type = view.getSourceType();
    if (!result || failed(type.getStridesAndOffset(strides, start)))
      return std::nullopt;
    for (auto [offset, stride] : llvm::zip(view.getMixedOffsets(), strides)) {
      std::optional<Lanes> lanes =
          isa<Attribute>(offset)
              ? splat(cast<IntegerAttr>(cast<Attribute>(offset)).getInt())
              : evaluate(cast<Value>(offset));
      if (!lanes || ShapedType::isDynamic(stride))
        return std::nullopt;
      for (unsigned i = 0; i < kWarp; ++i)
        result->bytes[i] += (*lanes)[i] * stride * elementBytesOf(type);
    }
    return result;
  }
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    std::optional<Address> result = base(view.getSource());
    OpFoldResult offset = view.getMixedOffsets().front();
    std::optional<Lanes> lanes =
        isa<Attribute>(offset)
            ? splat(cast<IntegerAttr>(cast<Attribute>(offset)).getInt())
            : evaluate(cast<Value>(offset));
    if (!result || !lanes)
      return std::nullopt;
    for (unsigned i = 0; i < kWarp; ++i)
      result->bytes[i] += (*lanes)[i] * elementBytesOf(view.getType());
    return result;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<Address> result = base(view.getSource());
    std::optional<Lanes> shift = evaluate(view.getByteShift());
    if (!result || !shift)
      return std::nullopt;
    for (unsigned i = 0; i < kWarp; ++i)
      result->bytes[i] += (*shift)[i];
    return result;
  }
  if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
          gpu::DynamicSharedMemoryOp>(op))
    return Address{memref, splat(0)};
  return std::nullopt;
}

std::optional<WarpEvaluator::Address>
WarpEvaluator::address(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  std::optional<Address> result = base(memref);
  SmallVector<int64_t> strides;
  int64_t start;
  if (!result || failed(type.getStridesAndOffset(strides, start)))
    return std::nullopt;
  for (auto [index, stride] : llvm::zip(indices, strides)) {
    std::optional<Lanes> lanes = evaluate(index);
    if (!lanes || ShapedType::isDynamic(stride))
      return std::nullopt;
    for (unsigned i = 0; i < kWarp; ++i)
      result->bytes[i] += (*lanes)[i] * stride * elementBytesOf(type);
  }
  return result;
}
