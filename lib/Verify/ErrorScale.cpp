// Error scales of a function on tensors. See Passes.td; the rules of scalar
// operations are in ErrorRules.cpp.
#include "KernelSkill/Verify/Passes.h"

#include "ArgReductions.h"
#include "ErrorRules.h"
#include "KernelSkill/IR/KernelSkillOps.h"
#include "MapElements.h"

namespace kernelskill {
#define GEN_PASS_DEF_ERRORSCALE
#include "KernelSkill/Verify/Passes.h.inc"

#include <cmath>
} // namespace kernelskill

using namespace mlir;
using namespace kernelskill;

namespace {

// Scales are tracked for doubles and for bits.
bool hasScale(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF64() || element.isInteger(1);
}

class TensorScales {
public:
  TensorScales(func::FuncOp function, const Precision &precision)
      : function(function), rewriter(function.getContext()),
        precision(precision) {}
  LogicalResult run();

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitGeneric(linalg::GenericOp op,
                             SmallVectorImpl<Value> *results = nullptr);
  LogicalResult visitArgReduction(linalg::GenericOp op,
                                  const ArgReduction &match);
  bool isReturned(Value value);
  Value alternativeOf(Value value);
  LogicalResult visitFill(linalg::FillOp op);
  LogicalResult visitTensorOp(Operation *op);
  LogicalResult visitPad(tensor::PadOp op);
  LogicalResult visitScan(ScanOp op);
  LogicalResult visitConstant(arith::ConstantOp op);
  LogicalResult addBodyScales(Block &body, ScaleMap &scalars,
                              const DenseMap<Operation *, Value> &sums);
  LogicalResult visitReturn(func::ReturnOp op);

  Value filled(Location loc, RankedTensorType type, double value);
  Value zeros(Value like) {
    return filled(like.getLoc(), cast<RankedTensorType>(like.getType()), 0);
  }
  Value initialScale(OpOperand &init, bool sums);

  func::FuncOp function;
  IRRewriter rewriter;
  Precision precision;
  ScaleMap scales; // of tensors, and of scalars outside of bodies
  /// For a tensor of indices, in any shape, those that rounding could make of
  /// them (admissibleIndices).
  DenseMap<Value, Value> admissible;
};

bool isZeroFill(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.value(), m_AnyZeroFloat()) ||
                  matchPattern(fill.value(), m_Zero()));
}

// The addition of a sum: what the body gives for a result is its running value
// plus something. Null if the result is no sum.
Operation *sumOf(linalg::GenericOp op, unsigned result) {
  BlockArgument running = op.getRegionOutputArgs()[result];
  OpOperand &yielded = op.getBody()->getTerminator()->getOpOperand(result);
  Operation *addition = yielded.get().getDefiningOp();
  if (!addition || op.getNumReductionLoops() == 0 || !running.hasOneUse() ||
      *running.getUsers().begin() != addition ||
      !isa<arith::AddFOp, arith::SubFOp, math::FmaOp>(addition))
    return nullptr;
  return addition;
}

} // namespace

Value TensorScales::filled(Location loc, RankedTensorType type, double value) {
  Type element = type.getElementType();
  TypedAttr attribute = element.isF64()
                            ? TypedAttr(rewriter.getF64FloatAttr(value))
                            : TypedAttr(rewriter.getBoolAttr(value != 0));
  Value scalar = arith::ConstantOp::create(rewriter, loc, attribute);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(), element);
  return linalg::FillOp::create(rewriter, loc, scalar, empty).getResult(0);
}

// The scale that a result starts with. What a sum starts from is a summand too.
Value TensorScales::initialScale(OpOperand &init, bool sums) {
  Value scale = scales.lookup(init.get());
  if (!sums || isZeroFill(init.get()))
    return scale ? scale : zeros(init.get());
  SmallVector<Value> inputs = {init.get()};
  if (scale)
    inputs.push_back(scale);
  return mapElements(
      rewriter, init.getOwner()->getLoc(), inputs, rewriter.getF64Type(),
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Value sum = math::AbsFOp::create(b, args[0]);
        return scale ? arith::AddFOp::create(b, sum, args[1]) : sum;
      });
}

// Puts the scales of each operation behind it. `sums` are the additions of
// sums, each with its running value.
LogicalResult
TensorScales::addBodyScales(Block &body, ScaleMap &scalars,
                            const DenseMap<Operation *, Value> &sums) {
  for (Operation &inner :
       llvm::make_early_inc_range(body.without_terminator())) {
    rewriter.setInsertionPointAfter(&inner);
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      if (Value scale = scales.lookup(extract.getTensor()))
        scalars[extract.getResult()] = tensor::ExtractOp::create(
            rewriter, extract.getLoc(), scale, extract.getIndices());
      continue;
    }
    if (inner.getNumRegions() > 0)
      return inner.emitError("no error rule for '") << inner.getName() << "'";
    for (Value operand : inner.getOperands())
      if (Value scale = scales.lookup(operand))
        scalars[operand] = scale;
    if (failed(addScales(&inner, scalars, rewriter, precision,
                         sums.lookup(&inner))))
      return failure();
  }
  return success();
}

// A generic op with the scales of its inputs as further inputs, and the scales
// of its results as further results. The body is extended in place.
LogicalResult TensorScales::visitGeneric(linalg::GenericOp op,
                                         SmallVectorImpl<Value> *results) {
  Location loc = op.getLoc();
  Block &body = *op.getBody();
  unsigned numInputs = op.getNumDpsInputs(), numResults = op.getNumDpsInits();
  SmallVector<Value> inputs(op.getInputs()), outputs(op.getOutputs());
  SmallVector<AffineMap> inputMaps, outputMaps;
  for (OpOperand *operand : op.getDpsInputOperands())
    inputMaps.push_back(op.getMatchingIndexingMap(operand));
  for (OpOperand &operand : op.getDpsInitsMutable())
    outputMaps.push_back(op.getMatchingIndexingMap(&operand));

  SmallVector<bool> isSum;
  DenseMap<Operation *, Value> sums;
  for (unsigned result = 0; result < numResults; ++result) {
    Operation *addition = sumOf(op, result);
    isSum.push_back(addition != nullptr);
    if (addition)
      sums[addition] = op.getRegionOutputArgs()[result];
  }

  ScaleMap scalars;
  // Arguments are appended behind the outputs' and sorted in at the end.
  SmallVector<unsigned> scaleOfInput, scaleOfOutput;
  for (unsigned i = 0; i < numInputs; ++i) {
    Value scale = scales.lookup(op.getInputs()[i]);
    if (!scale)
      continue;
    inputs.push_back(scale);
    inputMaps.push_back(inputMaps[i]);
    scaleOfInput.push_back(body.getNumArguments());
    scalars[body.getArgument(i)] =
        body.addArgument(getElementTypeOrSelf(scale.getType()), loc);
  }
  for (unsigned i = 0; i < numResults; ++i) {
    scaleOfOutput.push_back(body.getNumArguments());
    BlockArgument argument = body.getArgument(numInputs + i);
    if (!hasScale(argument.getType())) {
      scaleOfOutput.back() = 0;
      continue;
    }
    scalars[argument] = body.addArgument(argument.getType(), loc);
  }
  if (failed(addBodyScales(body, scalars, sums)))
    return failure();

  rewriter.setInsertionPoint(op);
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  SmallVector<Value> yielded(yield.getOperands());
  SmallVector<unsigned> keptOutputs, scaledResults;
  for (unsigned i = 0; i < numResults; ++i) {
    if (scaleOfOutput[i] == 0)
      continue;
    Value scale = scalars.lookup(yielded[i]);
    BlockArgument argument = body.getArgument(scaleOfOutput[i]);
    if (!scale && argument.use_empty())
      continue;
    if (!scale)
      scale = argument; // keeps what it starts with
    OpOperand &init = op.getDpsInitsMutable()[i];
    bool used = !argument.use_empty() || scale == argument;
    Value start =
        used ? initialScale(init, isSum[i])
             : tensor::EmptyOp::create(
                   rewriter, loc,
                   cast<RankedTensorType>(init.get().getType()).getShape(),
                   argument.getType())
                   .getResult();
    outputs.push_back(start);
    outputMaps.push_back(outputMaps[i]);
    yielded.push_back(scale);
    keptOutputs.push_back(scaleOfOutput[i]);
    scaledResults.push_back(i);
  }
  llvm::append_range(inputMaps, outputMaps);
  auto scaled = linalg::GenericOp::create(
      rewriter, loc, ValueRange(outputs).getTypes(), inputs, outputs, inputMaps,
      op.getIteratorTypesArray());
  SmallVector<unsigned> order;
  llvm::append_range(order, llvm::seq<unsigned>(0, numInputs));
  llvm::append_range(order, scaleOfInput);
  llvm::append_range(order,
                     llvm::seq<unsigned>(numInputs, numInputs + numResults));
  llvm::append_range(order, keptOutputs);
  Block *block = rewriter.createBlock(&scaled.getRegion());
  SmallVector<Value> arguments(body.getNumArguments());
  for (unsigned from : order)
    arguments[from] = block->addArgument(body.getArgument(from).getType(), loc);
  for (auto [from, to] : llvm::zip_equal(body.getArguments(), arguments))
    if (to)
      from.replaceAllUsesWith(to);
  for (Value &value : yielded)
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == &body)
      value = arguments[argument.getArgNumber()];
  yield->erase();
  block->getOperations().splice(block->end(), body.getOperations());
  rewriter.setInsertionPointToEnd(block);
  linalg::YieldOp::create(rewriter, loc, yielded);
  for (auto [position, result] : llvm::enumerate(scaledResults))
    scales[scaled.getResult(result)] = scaled.getResult(numResults + position);
  rewriter.replaceOp(op, scaled.getResults().take_front(numResults));
  if (results)
    llvm::append_range(*results, scaled.getResults().take_front(numResults));
  return success();
}

// Whether a value is a result, perhaps in another shape.
bool TensorScales::isReturned(Value value) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
            isReturned(user->getResult(0)));
  });
}

// A reduction to the greatest (or least) value and its index. The index of any
// value that rounding could make the greatest may be the result.
LogicalResult TensorScales::visitArgReduction(linalg::GenericOp op,
                                              const ArgReduction &match) {
  Value inputScale = scales.lookup(op.getInputs().front());
  OwningOpRef<linalg::GenericOp> original(op.clone());
  SmallVector<Value> results;
  if (failed(visitGeneric(op, &results)))
    return failure();
  Value found = results[match.index];
  rewriter.setInsertionPointAfterValue(found);
  admissible[found] =
      admissibleIndices(rewriter, *original, match, found, inputScale,
                        [&](ImplicitLocOpBuilder &b, Value value, Value best,
                            Value total) -> Value {
                          return couldSwap(b, value, best, total, precision);
                        });
  return success();
}

// What an integer result may be besides itself: a tensor of bytes over places
// where it is an index, else another value. Itself where there is nothing else.
Value TensorScales::alternativeOf(Value value) {
  if (Value indices = admissible.lookup(value))
    return indices;
  Value turned = scales.lookup(value);
  if (!turned)
    return value;
  return mapElements(rewriter, value.getLoc(), ValueRange{value, turned},
                     getElementTypeOrSelf(value.getType()),
                     [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       return arith::XOrIOp::create(b, args[0], args[1]);
                     });
}

LogicalResult TensorScales::visitFill(linalg::FillOp op) {
  Value scale = scales.lookup(op.value());
  if (!scale)
    return success();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                        type.getElementType());
  scales[op.getResult(0)] =
      linalg::FillOp::create(rewriter, op.getLoc(), scale, empty).getResult(0);
  return success();
}

LogicalResult TensorScales::visitPad(tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return op.emitError("no error rule for a pad whose value is computed");
  Value inner = scales.lookup(op.getSource());
  Value border = scales.lookup(padding);
  if (!inner && !border)
    return success();
  if (!border) {
    TypedAttr zero = cast<TypedAttr>(rewriter.getZeroAttr(padding.getType()));
    border = arith::ConstantOp::create(rewriter, op.getLoc(), zero);
  }
  scales[op.getResult()] = tensor::PadOp::create(
      rewriter, op.getLoc(), op.getResultType(),
      inner ? inner : zeros(op.getSource()), op.getMixedLowPad(),
      op.getMixedHighPad(), border, op.getNofold());
  return success();
}

// Running sums: those of the summands' magnitudes and scales. Running products:
// how much they grow, to first order, when each factor grows by its scale and
// one roundoff. Running maxima and minima: the greatest scale so far.
LogicalResult TensorScales::visitScan(ScanOp op) {
  if (!op.getResult() || !hasScale(op.getInput().getType()))
    return success();
  Block &body = op.getCombiner().front();
  Operation *combiner = body.getTerminator()->getOperand(0).getDefiningOp();
  auto isArgument = [&](Value value) {
    return isa<BlockArgument>(value) &&
           cast<BlockArgument>(value).getOwner() == &body;
  };
  if (!combiner || combiner->getNumOperands() != 2 ||
      combiner->getOperand(0) == combiner->getOperand(1) ||
      !llvm::all_of(combiner->getOperands(), isArgument))
    return op.emitError("no error rule for a scan whose region is not one "
                        "operation of its two arguments");
  Value input = op.getInput(), scale = scales.lookup(input);
  Location loc = op.getLoc();
  // The op itself on other numbers.
  auto scanned = [&](Value of, double identity, auto make) {
    auto type = cast<RankedTensorType>(of.getType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    auto scan =
        ScanOp::create(rewriter, loc, type, of, empty, op.getDimensionAttr(),
                       rewriter.getF64FloatAttr(identity),
                       op.getExclusiveAttr(), op.getReverseAttr());
    OpBuilder::InsertionGuard guard(rewriter);
    Type f64 = rewriter.getF64Type();
    Block *block =
        rewriter.createBlock(&scan.getCombiner(), {}, {f64, f64}, {loc, loc});
    YieldOp::create(rewriter, loc,
                    make(block->getArgument(0), block->getArgument(1)));
    return scan.getResult();
  };
  SmallVector<Value> inputs = {input};
  if (scale)
    inputs.push_back(scale);
  auto number = [&](ImplicitLocOpBuilder &b, double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  };
  // factor * |x| + part * (scale + |x|).
  auto grown = [&](double factor, double part) {
    return mapElements(
        rewriter, loc, inputs, rewriter.getF64Type(),
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value magnitude = math::AbsFOp::create(b, args[0]);
          Value loss = magnitude;
          if (scale)
            loss = arith::AddFOp::create(b, loss, args[1]);
          Value lost = arith::MulFOp::create(b, loss, number(b, part));
          Value kept = arith::MulFOp::create(b, magnitude, number(b, factor));
          return arith::AddFOp::create(b, kept, lost);
        });
  };
  if (isa<arith::AddFOp>(combiner)) {
    scales[op.getResult()] = scanned(grown(0, 1), 0, [&](Value x, Value y) {
      return arith::AddFOp::create(rewriter, loc, x, y).getResult();
    });
    return success();
  }
  if (isa<arith::MulFOp>(combiner)) {
    // Of doubles, so that the difference keeps 23 bits.
    constexpr double step = 0x1p-30;
    auto product = [&](Value x, Value y) {
      return arith::MulFOp::create(rewriter, loc, x, y).getResult();
    };
    Value more = scanned(grown(1, step), 1, product);
    Value exact = scanned(grown(1, 0), 1, product);
    scales[op.getResult()] = mapElements(
        rewriter, loc, ValueRange{more, exact}, rewriter.getF64Type(),
        [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
          Value growth = arith::SubFOp::create(b, args[0], args[1]);
          return arith::MulFOp::create(b, growth, number(b, 1 / step));
        });
    return success();
  }
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(combiner)) {
    if (scale)
      scales[op.getResult()] = scanned(scale, 0, [&](Value x, Value y) {
        return arith::MaximumFOp::create(rewriter, loc, x, y).getResult();
      });
    return success();
  }
  return op.emitError("no error rule for a scan by '")
         << combiner->getName() << "'";
}

LogicalResult TensorScales::visitConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<DenseFPElementsAttr>(op.getValue());
  if (!elements)
    return isa<ShapedType>(op.getType())
               ? success()
               : addScales(op, scales, rewriter, precision);
  // One value may stand for 10^8 elements.
  if (elements.isSplat()
          ? isExactInF32(elements.getSplatValue<APFloat>())
          : llvm::all_of(elements.getValues<APFloat>(), isExactInF32))
    return success();
  Attribute magnitudes =
      elements.mapValues(rewriter.getF64Type(), [](const APFloat &value) {
        APFloat magnitude = value;
        magnitude.clearSign();
        if (isExactInF32(value))
          magnitude = APFloat(0.0);
        return magnitude.bitcastToAPInt();
      });
  scales[op.getResult()] = arith::ConstantOp::create(
      rewriter, op.getLoc(), cast<TypedAttr>(magnitudes));
  return success();
}

// Operations that only move elements: the same on the scales.
LogicalResult TensorScales::visitTensorOp(Operation *op) {
  SmallVector<unsigned> moved;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::ExtractSliceOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::CastOp, tensor::ReshapeOp,
            tensor::ExtractOp, tensor::SplatOp>(
          [&](Operation *) { moved = {0}; })
      .Case<tensor::InsertSliceOp, tensor::InsertOp>(
          [&](Operation *) { moved = {0, 1}; })
      .Case<tensor::ConcatOp, tensor::FromElementsOp>([&](Operation *) {
        moved.assign(llvm::seq<unsigned>(0, op->getNumOperands()).begin(),
                     llvm::seq<unsigned>(0, op->getNumOperands()).end());
      });
  if (moved.empty())
    return op->emitError("no error rule for '") << op->getName() << "'";
  if (llvm::none_of(moved, [&](unsigned operand) {
        return scales.contains(op->getOperand(operand));
      }))
    return success();
  IRMapping mapping;
  for (unsigned operand : moved) {
    Value value = op->getOperand(operand), scale = scales.lookup(value);
    if (!scale && isa<RankedTensorType>(value.getType()))
      scale = zeros(value);
    if (!scale)
      scale = arith::ConstantOp::create(
          rewriter, op->getLoc(),
          cast<TypedAttr>(rewriter.getZeroAttr(value.getType())));
    mapping.map(value, scale);
  }
  Operation *clone = rewriter.clone(*op, mapping);
  scales[op->getResult(0)] = clone->getResult(0);
  return success();
}

LogicalResult TensorScales::visitReturn(func::ReturnOp op) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> values;
  SmallVector<DictionaryAttr> attributes;
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    values.push_back(value);
    attributes.push_back(function.getResultAttrDict(index));
    if (isa<RankedTensorType>(value.getType()) &&
        isa<IntegerType>(getElementTypeOrSelf(value.getType()))) {
      values.push_back(alternativeOf(value));
      attributes.push_back(rewriter.getDictionaryAttr({}));
    }
    if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
      continue;
    if (!isa<RankedTensorType>(value.getType()))
      return op.emitError("result ")
             << index << " must be a ranked tensor, but is " << value.getType();
    Value scale = scales.lookup(value);
    values.push_back(scale ? scale : zeros(value));
    attributes.push_back(rewriter.getDictionaryAttr({}));
  }
  op->setOperands(values);
  function.setFunctionType(rewriter.getFunctionType(function.getArgumentTypes(),
                                                    op.getOperandTypes()));
  function.setAllResultAttrs(attributes);
  return success();
}

LogicalResult TensorScales::visit(Operation *op) {
  for (Value result : op->getResults())
    if (auto type = dyn_cast<ShapedType>(result.getType());
        type && !type.hasStaticShape())
      return op->emitError("shape must be static, but is ") << type;
  rewriter.setInsertionPointAfter(op);
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return visitFill(fill);
  if (auto named = dyn_cast<linalg::LinalgOp>(op)) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, named);
      if (failed(generalized))
        return op->emitError("no general form of '") << op->getName() << "'";
      generic = *generalized;
    }
    for (Value result : generic.getResults())
      if (isReturned(result) && scales.contains(generic->getOperand(0)))
        if (std::optional<ArgReduction> match = matchArgReduction(generic))
          return visitArgReduction(generic, *match);
    return visitGeneric(generic);
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return visitConstant(constant);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return visitPad(pad);
  if (auto scan = dyn_cast<ScanOp>(op))
    return visitScan(scan);
  if (isa<tensor::EmptyOp, tensor::DimOp>(op))
    return success();
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    if (Value indices = admissible.lookup(op->getOperand(0)))
      admissible[op->getResult(0)] = indices;
  if (llvm::none_of(op->getResultTypes(), hasScale))
    return success();
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>) ||
      isa<tensor::ExtractOp>(op))
    return visitTensorOp(op);
  return addScales(op, scales, rewriter, precision);
}

LogicalResult TensorScales::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("must have one block");
  Block &block = function.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(visit(op)))
      return failure();
  return visitReturn(cast<func::ReturnOp>(block.getTerminator()));
}

namespace {

struct ErrorScale : kernelskill::impl::ErrorScaleBase<ErrorScale> {
  using ErrorScaleBase::ErrorScaleBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    Precision precision{std::ldexp(1.0, roundoffBits),
                        std::ldexp(1.0, -static_cast<int>(swapBits))};
    if (function.isPublic() && !function.isExternal() &&
        failed(TensorScales(function, precision).run()))
      signalPassFailure();
  }
};

} // namespace
