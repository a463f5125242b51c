// The rule of each scalar operation. See the header.
#include "ErrorRules.h"

#include <cmath>

using namespace mlir;

namespace {

// Builds scales; a null Value is an exact zero throughout.
class Rules {
public:
  Rules(Operation *op, kernelskill::ScaleMap &scales, OpBuilder &builder,
        const kernelskill::Precision &precision, Value accumulator)
      : op(op), scales(scales), b(op->getLoc(), builder), precision(precision),
        accumulator(accumulator) {}

  LogicalResult run();

private:
  Value number(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value orZero(Value scale) { return scale ? scale : number(0); }
  Value abs(Value value) { return math::AbsFOp::create(b, value); }
  Value add(Value x, Value y) {
    return !x ? y : !y ? x : arith::AddFOp::create(b, x, y).getResult();
  }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) {
    return !x || !y ? Value() : arith::MulFOp::create(b, x, y).getResult();
  }
  Value div(Value x, Value y) {
    return !x ? Value() : arith::DivFOp::create(b, x, y).getResult();
  }
  Value max(Value x, Value y) {
    return !x ? y : !y ? x : arith::MaximumFOp::create(b, x, y).getResult();
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value less(Value x, Value y) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, x, y);
  }
  Value either(Value x, Value y) {
    return !x ? y : !y ? x : arith::OrIOp::create(b, x, y).getResult();
  }
  Value in(unsigned i) { return op->getOperand(i); }
  Value scale(unsigned i) { return scales.lookup(op->getOperand(i)); }
  Value result() { return op->getResult(0); }
  Value magnitude() { return abs(result()); }
  void set(Value scale) {
    if (scale)
      scales[op->getResult(0)] = scale;
  }

  /// How far rounding may move a value of this scale.
  Value reach(Value scale) { return mul(scale, number(precision.swapMargin)); }
  Value swapped(Value x, Value y, Value ex, Value ey);
  Value ofProduct();
  std::optional<Value> arithmetic();
  std::optional<Value> choice();
  std::optional<Value> cast();
  std::optional<Value> function();
  Value moved(Value r);
  Value ofBase(Value e);
  Value accumulated(Value summand, Value summandScale);

  Operation *op;
  kernelskill::ScaleMap &scales;
  ImplicitLocOpBuilder b;
  const kernelskill::Precision &precision;
  Value accumulator;
};

} // namespace

// Whether rounding could change which of two values is greater: also where it
// could move one of them anywhere, so that its scale is not a number. Where one
// of the values is not a number, or both are exact, there is nothing to change.
Value kernelskill::couldSwap(ImplicitLocOpBuilder &b, Value x, Value y,
                             Value total, const Precision &precision) {
  Value distance =
      math::AbsFOp::create(b, arith::SubFOp::create(b, x, y).getResult());
  Value margin =
      arith::ConstantOp::create(b, b.getF64FloatAttr(precision.swapMargin));
  Value near = arith::CmpFOp::create(
      b, arith::CmpFPredicate::ULT, distance,
      arith::MulFOp::create(b, total, margin).getResult());
  Value numbers = arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, x, y);
  return arith::AndIOp::create(b, near, numbers);
}

Value Rules::swapped(Value x, Value y, Value ex, Value ey) {
  Value total = add(ex, ey);
  return total ? couldSwap(b, x, y, total, precision) : Value();
}

// A sum's step: the summand's magnitude, not the partial sum's, so that the
// scale is what a sum of the same magnitudes can lose in any good order. One
// addition to the running scale, so that it is a sum that can be split too.
Value Rules::accumulated(Value summand, Value summandScale) {
  return add(scales.lookup(accumulator), add(summandScale, abs(summand)));
}

// Of both orders: where a value has cancelled to nothing, its square has no
// error to first order.
Value Rules::ofProduct() {
  Value x = in(0), y = in(1), ex = scale(0), ey = scale(1);
  return add(mul(ex, abs(y)), mul(ey, add(abs(x), reach(ex))));
}

std::optional<Value> Rules::arithmetic() {
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    if (accumulator && in(0) == accumulator && in(1) != accumulator)
      return accumulated(in(1), scale(1));
    if (accumulator && in(1) == accumulator && isa<arith::AddFOp>(op))
      return accumulated(in(0), scale(0));
    return add(add(scale(0), scale(1)), magnitude());
  }
  if (isa<arith::MulFOp>(op))
    return add(ofProduct(), magnitude());
  if (isa<arith::DivFOp>(op)) {
    // 1 / (1 - t) is 1 + t to first order, and 1 + t (1 + t) to second.
    Value r = magnitude(), divisor = abs(in(1));
    Value first = div(add(scale(0), mul(scale(1), r)), divisor);
    Value second = mul(first, div(reach(scale(1)), divisor));
    return add(add(first, second), r);
  }
  if (isa<arith::RemFOp>(op)) {
    // x - y * trunc(x / y), itself exact; a jump where x / y is near a whole.
    Value quotient = arith::DivFOp::create(b, in(0), in(1));
    Value whole = math::TruncOp::create(b, quotient);
    return add(scale(0), mul(scale(1), abs(whole)));
  }
  if (isa<math::FmaOp>(op)) {
    if (accumulator && in(2) == accumulator)
      return accumulated(mul(in(0), in(1)), ofProduct());
    return add(add(ofProduct(), scale(2)), magnitude());
  }
  if (isa<arith::NegFOp, math::AbsFOp, math::CopySignOp>(op))
    return scale(0);
  return std::nullopt;
}

std::optional<Value> Rules::choice() {
  if (isa<arith::CmpFOp>(op))
    return swapped(in(0), in(1), scale(0), scale(1));
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op)) {
    Value either = swapped(in(0), in(1), scale(0), scale(1));
    if (!either)
      return Value();
    Value takesFirst =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, result(), in(0));
    Value taken = select(takesFirst, orZero(scale(0)), orZero(scale(1)));
    return select(either, orZero(max(scale(0), scale(1))), taken);
  }
  bool isBit = op->getNumResults() == 1 && result().getType().isInteger(1);
  if (isa<arith::SelectOp>(op)) {
    if (!isBit && !result().getType().isF64())
      return Value();
    Value x = scale(1), y = scale(2), turned = scale(0);
    if (!x && !y && !turned)
      return Value();
    if (isBit) {
      Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
      return either(turned, select(in(0), x ? x : no, y ? y : no));
    }
    Value taken = select(in(0), orZero(x), orZero(y));
    if (!turned)
      return taken;
    // The other branch may be taken: then the two values' distance is allowed.
    Value jump = mul(abs(sub(in(1), in(2))), number(precision.whole));
    return select(turned, add(max(x, y), jump), taken);
  }
  if (isBit && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return either(scale(0), scale(1));
  return std::nullopt;
}

std::optional<Value> Rules::cast() {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    if (!value || kernelskill::isExactInF32(value.getValue()))
      return Value();
    return number(std::fabs(value.getValueAsDouble()));
  }
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    Type from = in(0).getType();
    if (from.isInteger(1)) {
      Value turned = scale(0);
      return turned ? select(turned, number(precision.whole), number(0))
                    : Value();
    }
    // Few bits a float type holds whole.
    return from.isIntOrFloat() && std::ldexp(1, from.getIntOrFloatBitWidth()) <=
                                      precision.whole
               ? Value()
               : magnitude();
  }
  if (isa<math::FloorOp, math::CeilOp, math::TruncOp, math::RoundOp,
          math::RoundEvenOp>(op)) {
    // Exact, but for a jump by one where rounding crosses the step.
    Value e = scale(0);
    if (!e)
      return Value();
    Value step =
        isa<math::RoundOp, math::RoundEvenOp>(op) ? number(0.5) : number(0);
    Value shifted = arith::AddFOp::create(b, in(0), step);
    Value nearest = math::RoundEvenOp::create(b, shifted);
    Value near = less(abs(sub(shifted, nearest)), reach(e));
    return select(near, number(precision.whole), number(0));
  }
  return std::nullopt;
}

// A function of one operand: how far its result moves with the operand, per
// roundoff of that: at one roundoff, where it rises steeply and then levels out
// (tanh of a value that has cancelled), and as far out as rounding may move it,
// where it is the other way round; and its own rounding.
Value Rules::moved(Value r) {
  Value e = scale(0);
  if (!e)
    return magnitude();
  auto distance = [&](Value x) -> Value {
    IRMapping mapping;
    mapping.map(in(0), x);
    return abs(sub(b.clone(*op, mapping)->getResult(0), r));
  };
  auto slope = [&](double step) {
    Value far = mul(e, number(step));
    Value up = distance(arith::AddFOp::create(b, in(0), far));
    Value down = distance(arith::SubFOp::create(b, in(0), far));
    return mul(max(up, down), number(1 / step));
  };
  return add(max(slope(1 / precision.whole), slope(precision.swapMargin)),
             magnitude());
}

// How far x^y moves with x, to second order. Between zero and one it is a root,
// whose derivative near zero says too much: the root of the error bounds.
Value Rules::ofBase(Value e) {
  Value x = abs(in(0)), y = in(1), one = number(1), far = reach(e);
  auto power = [&](Value base, Value exponent) -> Value {
    return math::PowFOp::create(b, base, exponent);
  };
  Value less1 = sub(y, one);
  Value slope = mul(abs(y), max(power(x, less1), power(add(x, far), less1)));
  Value smooth = mul(slope, e);
  Value root = mul(power(div(e, number(precision.whole)), abs(y)),
                   number(precision.whole));
  Value positive =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, y, number(0));
  Value isRoot = arith::AndIOp::create(b, positive, less(y, one));
  Value least = select(less(smooth, root), smooth, root);
  return select(isRoot, least, smooth);
}

std::optional<Value> Rules::function() {
  Value e = op->getNumOperands() > 0 ? scale(0) : Value();
  Value r = op->getNumResults() == 1 && result().getType().isF64() ? result()
                                                                   : Value();
  if (!r)
    return std::nullopt;
  Value x = in(0);
  return llvm::TypeSwitch<Operation *, std::optional<Value>>(op)
      .Case<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op,
            math::Log10Op, math::Log1pOp, math::RsqrtOp, math::CbrtOp,
            math::TanhOp, math::ErfOp, math::SinOp, math::CosOp, math::TanOp,
            math::AtanOp, math::SinhOp, math::CoshOp>(
          [&](Operation *) { return moved(r); })
      .Case([&](math::SqrtOp) -> std::optional<Value> {
        if (!e)
          return magnitude();
        // Near zero the derivative says too much: the root of the error bounds.
        Value smooth = div(e, mul(number(2), r));
        Value root =
            mul(math::SqrtOp::create(b, e), number(std::sqrt(precision.whole)));
        return add(select(less(smooth, root), smooth, root), magnitude());
      })
      .Case([&](math::PowFOp) -> std::optional<Value> {
        Value total = magnitude();
        if (e)
          total = add(total, ofBase(e));
        // |r| |ln |x|| ey, and nothing where x is zero.
        if (Value ey = scale(1)) {
          Value positive =
              max(abs(x), number(std::numeric_limits<double>::min()));
          total = add(total, mul(mul(magnitude(), ey),
                                 abs(math::LogOp::create(b, positive))));
        }
        return total;
      })
      .Case([&](math::FPowIOp power) -> std::optional<Value> {
        // n x^(n - 1) ex + |n| |r|, as repeated multiplication loses.
        Value n = power.getRhs();
        Value count = abs(arith::SIToFPOp::create(b, b.getF64Type(), n));
        Value loss = mul(count, magnitude());
        if (!e)
          return loss;
        Value less1 = arith::SubIOp::create(
            b, n,
            arith::ConstantOp::create(b, b.getIntegerAttr(n.getType(), 1)));
        // Where x has cancelled to nothing, further out.
        Value slope = abs(math::FPowIOp::create(b, x, less1));
        Value out = math::FPowIOp::create(b, add(abs(x), reach(e)), less1);
        return add(mul(mul(count, max(slope, out)), e), loss);
      })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult Rules::run() {
  for (auto rule :
       {&Rules::arithmetic, &Rules::choice, &Rules::cast, &Rules::function})
    if (std::optional<Value> found = (this->*rule)()) {
      set(*found);
      return success();
    }
  // What gives no float (indices, integers, tests) is taken as it comes out.
  if (llvm::none_of(op->getResultTypes(), [](Type type) {
        return isa<FloatType>(getElementTypeOrSelf(type));
      }))
    return success();
  return op->emitError("no error rule for '") << op->getName() << "'";
}

LogicalResult kernelskill::addScales(Operation *op, ScaleMap &scales,
                                     OpBuilder &builder,
                                     const Precision &precision,
                                     Value accumulator) {
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
    return op->emitError("error rules are of scalars; run "
                         "convert-elementwise-to-linalg first");
  return Rules(op, scales, builder, precision, accumulator).run();
}

bool kernelskill::isExactInF32(const APFloat &value) {
  APFloat cut = value;
  bool lost = false;
  cut.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  return !lost;
}
