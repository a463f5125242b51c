// Promotion of a payload to double precision. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace kernelskill {
#define GEN_PASS_DEF_PROMOTE
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// Irrational numbers that programs write with the digits of f32. Two doubles
// that round to the same f32 are told apart by this table alone. Shorter types
// are too coarse for it: 2.5 in bf16 is what the root of 2 pi rounds to.
constexpr double kIrrationals[] = {
    1.4142135623730950488,  // sqrt(2)
    0.70710678118654752440, // 1 / sqrt(2)
    1.7320508075688772935,  // sqrt(3)
    3.1415926535897932385,  // pi
    6.2831853071795864769,  // 2 pi
    1.5707963267948966192,  // pi / 2
    0.31830988618379067154, // 1 / pi
    1.7724538509055160273,  // sqrt(pi)
    0.56418958354775628695, // 1 / sqrt(pi)
    1.1283791670955125739,  // 2 / sqrt(pi)
    0.79788456080286535588, // sqrt(2 / pi)
    2.5066282746310005024,  // sqrt(2 pi)
    0.39894228040143267794, // 1 / sqrt(2 pi)
    2.7182818284590452354,  // e
    0.69314718055994530942, // ln 2
    2.3025850929940456840,  // ln 10
    1.4426950408889634074,  // log2 e
    0.43429448190325182765, // log10 e
    1.6732632423543772848,  // alpha of SELU
    1.0507009873554804934,  // scale of SELU
};

bool isNarrowFloat(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && floatType.getWidth() < 64;
}

APFloat widen(APFloat value) {
  bool lost = false;
  if (value.isFinite() && &value.getSemantics() == &APFloat::IEEEsingle()) {
    for (double irrational : kIrrationals) {
      APFloat cut(irrational), negative(-irrational);
      cut.convert(value.getSemantics(), APFloat::rmNearestTiesToEven, &lost);
      if (cut.bitwiseIsEqual(value))
        return APFloat(irrational);
      cut.changeSign();
      if (cut.bitwiseIsEqual(value))
        return negative;
    }
  }
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return value;
}

// Operations whose meaning depends on how floats are stored or on hardware that
// has no double-precision form.
LogicalResult checkPromotable(Operation *op) {
  auto hasNarrowFloat = [](TypeRange types) {
    return llvm::any_of(types, [](Type type) {
      return isNarrowFloat(getElementTypeOrSelf(type));
    });
  };
  bool touchesFloat = hasNarrowFloat(op->getOperandTypes()) ||
                      hasNarrowFloat(op->getResultTypes());
  for (NamedAttribute attribute : op->getAttrs())
    if (auto resource =
            dyn_cast<DenseResourceElementsAttr>(attribute.getValue()))
      if (isNarrowFloat(resource.getElementType()))
        return op->emitError("float data in a dense resource can't be promoted "
                             "to f64; pass it as an argument");
  if (!touchesFloat)
    return success();
  if (isa<arith::BitcastOp, vector::BitCastOp, LLVM::BitcastOp>(op))
    return op->emitError("a bitcast of floats can't be promoted to f64");
  if (isa<memref::ViewOp>(op))
    return op->emitError(
        "a byte-addressed view of floats can't be promoted to f64");
  if (StringRef dialect =
          op->getDialect() ? op->getDialect()->getNamespace() : StringRef();
      dialect == "nvvm" || dialect == "nvgpu" || dialect == "llvm")
    return op->emitError("an operation of the ")
           << dialect << " dialect on floats has no double-precision form";
  return success();
}

struct Promote : kernelskill::impl::PromoteBase<Promote> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    WalkResult checked = module.walk([](Operation *op) {
      return failed(checkPromotable(op)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();

    Type f64 = Float64Type::get(&getContext());
    AttrTypeReplacer replacer;
    replacer.addReplacement([=](FloatType type) -> std::optional<Type> {
      return isNarrowFloat(type) ? f64 : type;
    });
    replacer.addReplacement(
        [=](FloatAttr attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!isNarrowFloat(attribute.getType()))
            return std::nullopt;
          return std::make_pair<Attribute>(
              FloatAttr::get(f64, widen(attribute.getValue())),
              WalkResult::skip());
        });
    replacer.addReplacement(
        [=](DenseFPElementsAttr attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          if (!isNarrowFloat(attribute.getElementType()))
            return std::nullopt;
          Attribute wide = attribute.mapValues(f64, [](const APFloat &value) {
            return widen(value).bitcastToAPInt();
          });
          return std::make_pair(wide, WalkResult::skip());
        });
    replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    // The casts that now do nothing; not even valid any more.
    module.walk([](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
          op->getOperand(0).getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(0));
        op->erase();
      }
    });
  }
};

} // namespace
