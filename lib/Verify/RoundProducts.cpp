// Rounds the operands of products that are summed, as the numerics classes of
// tensor cores do. See Passes.td and docs/verification.md.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/StringSwitch.h"

namespace kernelskill {
#define GEN_PASS_DEF_ROUNDPRODUCTS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

enum class Format { Tf32, Fp16, Bf16, Bf16x3 };

// The input that a value is, but for conversions; null if it is computed.
BlockArgument inputOf(linalg::LinalgOp op, Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  bool isInput =
      argument && argument.getOwner() == op.getBlock() &&
      argument.getArgNumber() < static_cast<unsigned>(op.getNumDpsInputs());
  return isInput ? argument : BlockArgument();
}

// The f32 product of two inputs that `yielded` adds to the running value; null
// if it is no such sum. A sum of squares is none: it is no contraction.
Operation *summedProduct(linalg::LinalgOp op, Value yielded, Value running) {
  Operation *sum = yielded.getDefiningOp();
  Operation *product = nullptr;
  if (isa_and_nonnull<math::FmaOp>(sum) && sum->getOperand(2) == running)
    product = sum;
  else if (isa_and_nonnull<arith::AddFOp>(sum))
    for (unsigned other : {0, 1})
      if (sum->getOperand(other) == running)
        product = sum->getOperand(1 - other).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, math::FmaOp>(product) ||
      !product->getResult(0).getType().isF32())
    return nullptr;
  BlockArgument a = inputOf(op, product->getOperand(0));
  BlockArgument b = inputOf(op, product->getOperand(1));
  return a && b && a != b ? product : nullptr;
}

class Rounder {
public:
  Rounder(Operation *product, OpBuilder &builder, Format format)
      : b(product->getLoc(), builder), format(format) {}

  Value operand(Value x) {
    return format == Format::Tf32   ? tf32(x)
           : format == Format::Fp16 ? through(x, b.getF16Type())
                                    : through(x, b.getBF16Type());
  }
  Value split(Value x, Value y);

private:
  Value through(Value x, Type type) {
    Value narrow = arith::TruncFOp::create(b, type, x);
    return arith::ExtFOp::create(b, b.getF32Type(), narrow);
  }
  Value number(int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value tf32(Value x);
  Value isFinite(Value x) {
    Value infinity = arith::ConstantOp::create(
        b,
        b.getFloatAttr(b.getF32Type(), APFloat::getInf(APFloat::IEEEsingle())));
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                 math::AbsFOp::create(b, x), infinity);
  }

  ImplicitLocOpBuilder b;
  Format format;
};

} // namespace

// To the nearest of 11 bits, ties to even, on the bits; NaN stays what it is.
Value Rounder::tf32(Value x) {
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), x);
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, number(13)), number(1));
  Value half = arith::AddIOp::create(b, number(0xfff), odd);
  Value rounded = arith::AndIOp::create(b, arith::AddIOp::create(b, bits, half),
                                        number(~0x1fff));
  Value value = arith::BitcastOp::create(b, b.getF32Type(), rounded);
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(b, isNan, x, value);
}

// High and low bf16 parts of both, without the product of the low ones. What
// has no finite parts is multiplied as it is: inf - inf would be no number.
Value Rounder::split(Value x, Value y) {
  auto parts = [&](Value value) {
    Value high = through(value, b.getBF16Type());
    Value rest = arith::SubFOp::create(b, value, high);
    return std::make_pair(high, through(rest, b.getBF16Type()));
  };
  auto [x0, x1] = parts(x);
  auto [y0, y1] = parts(y);
  Value cross = arith::AddFOp::create(b, arith::MulFOp::create(b, x0, y1),
                                      arith::MulFOp::create(b, x1, y0));
  Value sum = arith::AddFOp::create(b, arith::MulFOp::create(b, x0, y0), cross);
  Value finite = arith::AndIOp::create(b, isFinite(x0), isFinite(y0));
  return arith::SelectOp::create(b, finite, sum,
                                 arith::MulFOp::create(b, x, y));
}

namespace {

struct RoundProducts : kernelskill::impl::RoundProductsBase<RoundProducts> {
  using RoundProductsBase::RoundProductsBase;

  void round(Operation *product, Format how) {
    IRRewriter rewriter(product);
    Rounder rounder(product, rewriter, how);
    if (how != Format::Bf16x3) {
      for (unsigned i : {0, 1})
        product->setOperand(i, rounder.operand(product->getOperand(i)));
      return;
    }
    Value value = rounder.split(product->getOperand(0), product->getOperand(1));
    if (isa<math::FmaOp>(product))
      value = arith::AddFOp::create(rewriter, product->getLoc(), value,
                                    product->getOperand(2));
    rewriter.replaceOp(product, value);
  }

  void runOnOperation() override {
    auto how = llvm::StringSwitch<std::optional<Format>>(format)
                   .Case("tf32", Format::Tf32)
                   .Case("fp16", Format::Fp16)
                   .Case("bf16", Format::Bf16)
                   .Case("bf16x3", Format::Bf16x3)
                   .Default(std::nullopt);
    if (!how) {
      getOperation().emitError("format must be tf32, fp16, bf16 or bf16x3, but "
                               "is '")
          << format << "'";
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      if (op.getNumReductionLoops() == 0)
        continue;
      SmallVector<unsigned> products; // by result
      auto productOf = [](linalg::LinalgOp op, unsigned result) {
        return summedProduct(op,
                             op.getBlock()->getTerminator()->getOperand(result),
                             op.getRegionOutputArgs()[result]);
      };
      for (unsigned result = 0; result < op.getNumDpsInits(); ++result)
        if (productOf(op, result))
          products.push_back(result);
      if (products.empty())
        continue;
      if (!isa<linalg::GenericOp>(op.getOperation())) {
        rewriter.setInsertionPoint(op);
        auto generic = linalg::generalizeNamedOp(rewriter, op);
        if (failed(generic)) {
          op.emitError("no general form of '") << op->getName() << "'";
          return signalPassFailure();
        }
        op = cast<linalg::LinalgOp>(generic->getOperation());
      }
      for (unsigned result : products)
        if (Operation *product = productOf(op, result))
          round(product, *how);
    }
  }
};

} // namespace
