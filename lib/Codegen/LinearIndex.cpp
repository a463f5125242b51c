// Takes index arithmetic apart; see the header.
#include "LinearIndex.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelskill;

int64_t LinearIndex::coefficient(Value value) const {
  auto it = terms.find(value);
  return it == terms.end() ? 0 : it->second;
}

int64_t LinearIndex::threadCoefficient(gpu::Dimension dimension) const {
  int64_t sum = 0;
  for (auto [value, factor] : terms) {
    if (auto thread = value.getDefiningOp<gpu::ThreadIdOp>();
        thread && thread.getDimension() == dimension)
      sum += factor;
    if (auto global = value.getDefiningOp<gpu::GlobalIdOp>();
        global && global.getDimension() == dimension)
      sum += factor;
  }
  return sum;
}

void LinearIndex::add(const LinearIndex &other, int64_t factor) {
  constant += other.constant * factor;
  for (auto [value, coefficient] : other.terms) {
    int64_t &sum = terms[value];
    sum += coefficient * factor;
    if (sum == 0)
      terms.erase(value);
  }
}

/// An expression of an affine.apply; nothing where it divides.
static std::optional<LinearIndex> linearExpr(AffineExpr expr, unsigned dims,
                                             ValueRange operands) {
  LinearIndex result;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    result.constant = constant.getValue();
    return result;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return linearIndex(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return linearIndex(operands[dims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto left = linearExpr(binary.getLHS(), dims, operands);
  auto right = linearExpr(binary.getRHS(), dims, operands);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    left->add(*right, 1);
    return left;
  }
  if (expr.getKind() == AffineExprKind::Mul && right->terms.empty()) {
    result.add(*left, right->constant);
    return result;
  }
  return std::nullopt;
}

bool kernelskill::isLinearArithmetic(Operation *op) {
  return isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp,
                         arith::ShLIOp, arith::IndexCastOp,
                         arith::IndexCastUIOp, affine::AffineApplyOp>(op);
}

LinearIndex kernelskill::linearIndex(Value value) {
  LinearIndex result;
  Operation *op = value.getDefiningOp();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    result.constant = constant.getSExtValue();
    return result;
  }
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    result = linearIndex(op->getOperand(0));
    result.add(linearIndex(op->getOperand(1)), isa<arith::SubIOp>(op) ? -1 : 1);
    return result;
  }
  if (isa_and_nonnull<arith::MulIOp>(op)) {
    LinearIndex left = linearIndex(op->getOperand(0));
    LinearIndex right = linearIndex(op->getOperand(1));
    if (!right.terms.empty())
      std::swap(left, right);
    if (right.terms.empty()) {
      result.add(left, right.constant);
      return result;
    }
  }
  if (isa_and_nonnull<arith::ShLIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&constant)) &&
      constant.ult(32)) {
    result.add(linearIndex(op->getOperand(0)), int64_t(1)
                                                   << constant.getZExtValue());
    return result;
  }
  if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return linearIndex(op->getOperand(0));
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    if (auto linear = linearExpr(apply.getAffineMap().getResult(0),
                                 apply.getAffineMap().getNumDims(),
                                 apply.getMapOperands()))
      return *linear;
  result.terms[value] = 1;
  return result;
}

unsigned MemoryAccess::elementBytes() const {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

std::optional<LinearIndex> MemoryAccess::flatIndex() const {
  auto type = cast<MemRefType>(memref.getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return std::nullopt;
  LinearIndex sum;
  int64_t stride = 1;
  for (unsigned i = type.getRank(); i-- > 0;) {
    sum.add(linearIndex(indices[i].get()), stride);
    stride *= type.getDimSize(i);
  }
  return sum;
}

std::optional<MemoryAccess> kernelskill::memoryAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return MemoryAccess{op, load.getMemRef(), load.getIndicesMutable(), false,
                        1};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return MemoryAccess{op, store.getMemRef(), store.getIndicesMutable(), true,
                        1};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return MemoryAccess{op, load.getBase(), load.getIndicesMutable(), false,
                        load.getVectorType().getNumElements()};
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return MemoryAccess{op, store.getBase(), store.getIndicesMutable(), true,
                        store.getVectorType().getNumElements()};
  return std::nullopt;
}
