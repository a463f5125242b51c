// Math operations that neither back end has, as arithmetic that both have.
#include "KernelLowering.h"

using namespace mlir;
using namespace kernelskill;

/// A constant of a type, which may be a vector.
static Value constantOf(OpBuilder &b, Location loc, Type type,
                        TypedAttr element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(b, loc, element);
}

static Value floatOf(OpBuilder &b, Location loc, Type type,
                     const llvm::APFloat &value) {
  return constantOf(b, loc, type,
                    FloatAttr::get(getElementTypeOrSelf(type), value));
}

static Value integerOf(OpBuilder &b, Location loc, Type type, int64_t value) {
  return constantOf(b, loc, type,
                    b.getIntegerAttr(getElementTypeOrSelf(type), value));
}

namespace {

/// A class of floats as comparisons of the absolute value.
template <typename Op>
struct ExpandFloatClass : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    Type type = x.getType();
    auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
      return arith::CmpFOp::create(rewriter, loc, predicate, a, b).getResult();
    };
    if (isa<math::IsNaNOp>(op)) {
      rewriter.replaceOp(op, compare(arith::CmpFPredicate::UNO, x, x));
      return success();
    }
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
    Value size = math::AbsFOp::create(rewriter, loc, x);
    Value infinity =
        floatOf(rewriter, loc, type, llvm::APFloat::getInf(semantics));
    if (isa<math::IsInfOp>(op)) {
      rewriter.replaceOp(op,
                         compare(arith::CmpFPredicate::OEQ, size, infinity));
      return success();
    }
    Value finite = compare(arith::CmpFPredicate::OLT, size, infinity);
    if (isa<math::IsNormalOp>(op)) {
      Value least = floatOf(rewriter, loc, type,
                            llvm::APFloat::getSmallestNormalized(semantics));
      finite = arith::AndIOp::create(
          rewriter, loc, finite,
          compare(arith::CmpFPredicate::OGE, size, least));
    }
    rewriter.replaceOp(op, finite);
    return success();
  }
};

struct ExpandAbs : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::AbsIOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value zero = integerOf(rewriter, loc, op.getType(), 0);
    Value negated = arith::SubIOp::create(rewriter, loc, zero, op.getOperand());
    rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, op.getOperand(), negated);
    return success();
  }
};

/// Squares the base for each bit of the exponent. A power to a negative
/// exponent is 0 but for the bases 1 and -1 (0 has none: any value will do).
template <typename Op, typename Multiply>
struct ExpandPower : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value base = op.getLhs(), exponent = op.getRhs();
    if (Type wide = wideType(base.getType())) {
      // A product of roundings to a half type would lose what one does not.
      base = arith::ExtFOp::create(rewriter, loc, wide, base);
      Value power = Op::create(rewriter, loc, base, exponent);
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), power);
      return success();
    }
    Type type = base.getType(), exponentType = exponent.getType();
    unsigned bits = getElementTypeOrSelf(exponentType).getIntOrFloatBitWidth();
    Value zero = integerOf(rewriter, loc, exponentType, 0);
    Value one = integerOf(rewriter, loc, exponentType, 1);
    Value size = arith::SubIOp::create(rewriter, loc, zero, exponent);
    Value isNegative = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    size = arith::SelectOp::create(rewriter, loc, isNegative, size, exponent);
    Value unit = isa<FloatType>(getElementTypeOrSelf(type))
                     ? floatOf(rewriter, loc, type,
                               llvm::APFloat::getOne(
                                   cast<FloatType>(getElementTypeOrSelf(type))
                                       .getFloatSemantics()))
                     : integerOf(rewriter, loc, type, 1);
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    auto step = [&](OpBuilder &b, Location loc, Value, ValueRange state) {
      Value bit = arith::AndIOp::create(b, loc, state[2], one);
      Value isSet =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bit, zero);
      Value product = Multiply::create(b, loc, state[0], state[1]);
      Value power = arith::SelectOp::create(b, loc, isSet, product, state[0]);
      Value square = Multiply::create(b, loc, state[1], state[1]);
      Value rest = arith::ShRUIOp::create(b, loc, state[2], one);
      scf::YieldOp::create(b, loc, ValueRange{power, square, rest});
    };
    Value power =
        scf::ForOp::create(rewriter, loc, index(0), index(bits), index(1),
                           ValueRange{unit, base, size}, step)
            .getResult(0);
    Value inverse = inverseOf(rewriter, loc, unit, base, power);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, inverse,
                                                 power);
    return success();
  }

  /// f32 for types of 16-bit floats, else null.
  static Type wideType(Type type) {
    Type element = getElementTypeOrSelf(type);
    if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 32)
      return {};
    Type f32 = Float32Type::get(type.getContext());
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(f32);
    return f32;
  }

  static Value inverseOf(OpBuilder &b, Location loc, Value unit, Value base,
                         Value power) {
    if (isa<FloatType>(getElementTypeOrSelf(base)))
      return arith::DivFOp::create(b, loc, unit, power);
    Value zero = integerOf(b, loc, base.getType(), 0);
    Value minusOne = arith::SubIOp::create(b, loc, zero, unit);
    auto equals = [&](Value other) {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, base,
                                   other);
    };
    Value isUnit = arith::OrIOp::create(b, loc, equals(unit), equals(minusOne));
    return arith::SelectOp::create(b, loc, isUnit, power, zero);
  }
};

} // namespace

void kernelskill::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandFloatClass<math::IsNaNOp>, ExpandFloatClass<math::IsInfOp>,
               ExpandFloatClass<math::IsFiniteOp>,
               ExpandFloatClass<math::IsNormalOp>, ExpandAbs,
               ExpandPower<math::IPowIOp, arith::MulIOp>,
               ExpandPower<math::FPowIOp, arith::MulFOp>>(
      patterns.getContext());
}
