// Reads dispatch functions into nests and brings their loops into shape.
#include "Nest.h"

#include "KernelSkill/Analysis/InPlaceRead.h"
#include "Knobs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelskill;

Type Access::elementType() const { return getElementTypeOrSelf(tensor); }

bool Access::isFunctionOfLoop(unsigned loop) const {
  return offset.isFunctionOfDim(loop) ||
         llvm::any_of(bounds, [&](const Bound &bound) {
           return bound.expr.isFunctionOfDim(loop);
         });
}

/// Adds the coefficients of `expr` times `factor`; false if it is not linear.
static bool addStrides(AffineExpr expr, int64_t factor,
                       MutableArrayRef<int64_t> strides) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    strides[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    strides.back() += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addStrides(binary.getLHS(), factor, strides) &&
           addStrides(binary.getRHS(), factor, strides);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && scale &&
         addStrides(binary.getLHS(), factor * scale.getValue(), strides);
}

std::optional<SmallVector<int64_t>> Access::strides(unsigned loops) const {
  if (!bounds.empty())
    return std::nullopt;
  SmallVector<int64_t> result(loops + 1, 0);
  if (!addStrides(offset, 1, result))
    return std::nullopt;
  return result;
}

std::optional<unsigned> Nest::rootResultOf(unsigned i) const {
  auto result = dyn_cast<OpResult>(epilogueInputs[i].tensor);
  if (!result || result.getOwner() != linalg::LinalgOp(root).getOperation())
    return std::nullopt;
  return result.getResultNumber();
}

int64_t Nest::extentOf(bool reduction) const {
  int64_t extent = 1;
  for (const Loop &loop : loops)
    if (loop.reduction == reduction)
      extent *= loop.extent;
  return extent;
}

SmallVector<Value> Nest::inputReads() const {
  llvm::SetVector<Value> tensors;
  for (const Access &access : inputs)
    if (!isUndefined(access.tensor))
      tensors.insert(access.tensor);
  tensors.insert_range(rootExtracts);
  return tensors.takeVector();
}

SmallVector<Value> Nest::finishReads() const {
  llvm::SetVector<Value> tensors;
  for (auto [access, argument] :
       llvm::zip(inits, linalg::LinalgOp(root).getRegionOutputArgs()))
    if (!fillValue(access.tensor) && !isUndefined(access.tensor) &&
        !argument.use_empty())
      tensors.insert(access.tensor);
  for (auto [i, access] : llvm::enumerate(epilogueInputs))
    if (!rootResultOf(i))
      tensors.insert(access.tensor);
  tensors.insert_range(epilogueExtracts);
  return tensors.takeVector();
}

SmallVector<Value> Nest::reads() const {
  llvm::SetVector<Value> tensors;
  tensors.insert_range(inputReads());
  tensors.insert_range(finishReads());
  return tensors.takeVector();
}

SmallVector<Value> Nest::writes() const {
  return llvm::map_to_vector(
      outputs, [](const Access &access) { return access.tensor; });
}

Value kernelskill::fillValue(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill ? fill.getInputs().front() : Value();
}

bool kernelskill::isUndefined(Value init) {
  return init.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// The position of an operand's element in its row-major data.
static AffineExpr linearize(ArrayRef<AffineExpr> position,
                            ArrayRef<int64_t> shape, MLIRContext *context) {
  AffineExpr offset = getAffineConstantExpr(0, context);
  int64_t stride = 1;
  for (int64_t i = shape.size() - 1; i >= 0; --i) {
    offset = position[i] * stride + offset;
    stride *= shape[i];
  }
  return offset;
}

/// The position in the source of what is read in place; adds bounds where it is
/// padded.
static SmallVector<AffineExpr> inSource(ArrayRef<AffineExpr> position,
                                        const InPlaceRead &read,
                                        Access &access) {
  SmallVector<AffineExpr> result;
  MLIRContext *context = access.tensor.getContext();
  if (!read.padding) {
    for (const InPlaceRead::Dim &dim : read.dims) {
      result.push_back(getAffineConstantExpr(dim.offset, context));
      if (!dim.dropped) {
        result.back() = result.back() + position.front() * dim.stride;
        position = position.drop_front();
      }
    }
    return result;
  }
  access.padding = read.padding;
  ArrayRef<int64_t> shape =
      cast<ShapedType>(access.tensor.getType()).getShape();
  for (auto [expr, dim, extent] : llvm::zip(position, read.dims, shape)) {
    AffineExpr shifted = expr - dim.offset;
    if (dim.offset != 0 || dim.size * dim.stride != extent)
      access.bounds.push_back({shifted, (dim.size - 1) * dim.stride + 1});
    if (dim.stride != 1)
      access.bounds.push_back({shifted % dim.stride, 1});
    if (!dim.dropped)
      result.push_back(shifted.floorDiv(dim.stride));
  }
  return result;
}

static Access makeAccess(linalg::LinalgOp op, OpOperand &operand,
                         Value tensor) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> position(
      op.getMatchingIndexingMap(&operand).getResults());
  Access access{tensor, {}};
  while (std::optional<InPlaceRead> read = matchInPlaceRead(access.tensor)) {
    position = inSource(position, *read, access);
    access.tensor = read->source;
  }
  auto type = cast<ShapedType>(access.tensor.getType());
  access.offset = linearize(position, type.getShape(), context);
  return access;
}

/// Tensors from outside that the op's region reads elements of.
static SmallVector<Value> extractsOf(linalg::LinalgOp op) {
  llvm::SetVector<Value> tensors;
  op->walk(
      [&](tensor::ExtractOp extract) { tensors.insert(extract.getTensor()); });
  return tensors.takeVector();
}

/// Makes `op` the nest's epilogue if it is an elementwise op over the root's
/// results.
static bool takeEpilogue(Nest &nest, linalg::LinalgOp op) {
  if (op.getNumParallelLoops() != op.getNumLoops() || nest.epilogue ||
      nest.extentOf(/*reduction=*/true) == 1)
    return false;
  for (Value result : nest.root->getResults())
    for (Operation *user : result.getUsers())
      if (user != op.getOperation())
        return false;
  SmallVector<AffineExpr> dims(op.getNumLoops());
  bool readsRoot = false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto result = dyn_cast<OpResult>(operand->get());
    if (!result || result.getOwner() != nest.root.getOperation())
      continue;
    readsRoot = true;
    AffineMap rootMap = nest.root.getIndexingMapMatchingResult(result);
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [expr, rootExpr] :
         llvm::zip(map.getResults(), rootMap.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || !isa<AffineDimExpr>(rootExpr))
        return false;
      AffineExpr &known = dims[dim.getPosition()];
      if (known && known != rootExpr)
        return false;
      known = rootExpr;
    }
  }
  if (!readsRoot || llvm::is_contained(dims, AffineExpr()))
    return false;
  for (BlockArgument argument : op.getRegionOutputArgs())
    if (!argument.use_empty())
      return false;
  nest.epilogue = op;
  nest.epilogueExtracts = extractsOf(op);
  nest.epilogueDims = dims;
  auto onRootLoops = [&](Access access) {
    access.offset = access.offset.replaceDims(dims);
    for (Access::Bound &bound : access.bounds)
      bound.expr = bound.expr.replaceDims(dims);
    return access;
  };
  for (OpOperand *operand : op.getDpsInputOperands())
    nest.epilogueInputs.push_back(
        onRootLoops(makeAccess(op, *operand, operand->get())));
  nest.outputs.clear();
  for (auto [operand, result] :
       llvm::zip(op.getDpsInitsMutable(), op->getResults()))
    nest.outputs.push_back(onRootLoops(makeAccess(op, operand, result)));
  return true;
}

static Nest makeNest(linalg::LinalgOp root) {
  Nest nest;
  nest.root = root;
  nest.rootExtracts = extractsOf(root);
  for (auto [i, extent, kind] : llvm::enumerate(root.getStaticLoopRanges(),
                                                root.getIteratorTypesArray())) {
    nest.loops.push_back({extent, kind == utils::IteratorType::reduction});
    nest.rootDims.push_back(getAffineDimExpr(i, root.getContext()));
  }
  for (OpOperand *operand : root.getDpsInputOperands())
    nest.inputs.push_back(makeAccess(root, *operand, operand->get()));
  for (auto [operand, result] :
       llvm::zip(root.getDpsInitsMutable(), root->getResults())) {
    nest.inits.push_back(makeAccess(root, operand, operand.get()));
    nest.outputs.push_back(makeAccess(root, operand, result));
  }
  return nest;
}

/// An input is an argument or a result, may be padded, or only gives loops
/// their extents.
static llvm::Error checkInput(linalg::LinalgOp op, OpOperand &input) {
  Value tensor = input.get();
  if (isUndefined(tensor) && op.getMatchingBlockArgument(&input).use_empty())
    return llvm::Error::success();
  Attribute padding;
  bool inPlace = false;
  while (std::optional<InPlaceRead> read = matchInPlaceRead(tensor)) {
    if (padding && read->padding && padding != read->padding)
      return refusal("input {0} of '{1}' is padded with two values",
                     input.getOperandNumber(), op->getName());
    if (read->padding)
      padding = read->padding;
    tensor = read->source;
    inPlace = true;
  }
  if (isa<RankedTensorType>(tensor.getType()) &&
      (isa<BlockArgument>(tensor) ||
       (!inPlace && tensor.getDefiningOp<linalg::LinalgOp>())) &&
      !tensor.getDefiningOp<linalg::FillOp>())
    return llvm::Error::success();
  return refusal("input {0} of '{1}' must be an argument of the dispatch or "
                 "a result of another structured op",
                 input.getOperandNumber(), op->getName());
}

/// Checks what emitters rely on: static tensors, operands that are arguments or
/// results, regions that use nothing but constants from outside.
static llvm::Error checkOp(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return refusal("'{0}' must be on statically shaped tensors", op->getName());
  for (OpOperand *input : op.getDpsInputOperands())
    if (llvm::Error error = checkInput(op, *input))
      return error;
  for (Value init : op.getDpsInits())
    if (Value fill = fillValue(init); fill && !matchPattern(fill, m_Constant()))
      return refusal("the value of a fill must be a constant");
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    if (isa<ShapedType>(value.getType()) ? !isa<BlockArgument>(value)
                                         : !matchPattern(value, m_Constant()))
      return refusal("the region of '{0}' uses a value from outside that is no "
                     "scalar constant and no argument of the dispatch",
                     op->getName());
  return llvm::Error::success();
}

llvm::Expected<std::vector<Nest>>
kernelskill::readNests(func::FuncOp dispatch) {
  if (!dispatch.getBody().hasOneBlock())
    return refusal("a dispatch has one block");
  std::vector<Nest> nests;
  for (Operation &op : dispatch.getBody().front()) {
    if (isa<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, tensor::PadOp,
            tensor::InsertSliceOp, tensor::ExtractSliceOp, func::ReturnOp>(op))
      continue;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || op.getNumRegions() != 1)
      return refusal("'{0}' is not understood in a dispatch", op.getName());
    if (llvm::Error error = checkOp(structured))
      return error;
    if (nests.empty() || !takeEpilogue(nests.back(), structured))
      nests.push_back(makeNest(structured));
  }
  if (nests.empty())
    return refusal("the dispatch has no structured op");
  return nests;
}

llvm::Expected<Nest> kernelskill::readNest(func::FuncOp dispatch) {
  llvm::Expected<std::vector<Nest>> nests = readNests(dispatch);
  if (!nests)
    return nests.takeError();
  if (nests->size() != 1)
    return refusal("the dispatch must have one root, but has {0}",
                   nests->size());
  return std::move(nests->front());
}

/// All expressions over the nest's loops.
static SmallVector<AffineExpr *> expressions(Nest &nest) {
  SmallVector<AffineExpr *> all;
  for (auto *list :
       {&nest.inputs, &nest.inits, &nest.epilogueInputs, &nest.outputs})
    for (Access &access : *list) {
      all.push_back(&access.offset);
      for (Access::Bound &bound : access.bounds)
        all.push_back(&bound.expr);
    }
  for (auto *list : {&nest.rootDims, &nest.epilogueDims})
    for (AffineExpr &expr : *list)
      all.push_back(&expr);
  return all;
}

void kernelskill::permuteLoops(Nest &nest, ArrayRef<unsigned> order) {
  SmallVector<AffineExpr> replacements(order.size());
  SmallVector<Loop> loops;
  for (auto [position, old] : llvm::enumerate(order)) {
    replacements[old] = getAffineDimExpr(position, nest.root.getContext());
    loops.push_back(nest.loops[old]);
  }
  for (AffineExpr *expr : expressions(nest))
    *expr = expr->replaceDims(replacements);
  nest.loops = std::move(loops);
}

void kernelskill::sortLoops(Nest &nest, std::optional<unsigned> last) {
  SmallVector<unsigned> order;
  for (bool reduction : {false, true}) {
    for (unsigned i = 0; i < nest.loops.size(); ++i)
      if (nest.loops[i].reduction == reduction && i != last)
        order.push_back(i);
    if (last && nest.loops[*last].reduction == reduction)
      order.push_back(*last);
  }
  permuteLoops(nest, order);
}

/// Does `expr` take one step of loop `i` as `inner` steps of loop `i + 1`? For
/// all that is not linear in them, no.
static bool walksAlike(const Access &access, unsigned i, int64_t inner,
                       unsigned loops) {
  if (!access.isFunctionOfLoop(i) && !access.isFunctionOfLoop(i + 1))
    return true;
  for (const Access::Bound &bound : access.bounds)
    if (bound.expr.isFunctionOfDim(i) || bound.expr.isFunctionOfDim(i + 1))
      return false;
  AffineExpr expr = access.offset;
  SmallVector<int64_t> strides(loops + 1, 0);
  return addStrides(expr, 1, strides) && strides[i] == strides[i + 1] * inner;
}

void kernelskill::collapseLoops(Nest &nest) {
  MLIRContext *context = nest.root.getContext();
  auto dim = [&](unsigned i) { return getAffineDimExpr(i, context); };
  auto shiftDown = [&](unsigned i, AffineExpr removed, AffineExpr next) {
    // Loop i becomes `removed`, loop i + 1 `next`; later loops move down.
    SmallVector<AffineExpr> replacements;
    for (unsigned j = 0; j < nest.loops.size(); ++j)
      replacements.push_back(j < i        ? dim(j)
                             : j == i     ? removed
                             : j == i + 1 ? next
                                          : dim(j - 1));
    return replacements;
  };
  for (unsigned i = 0; i < nest.loops.size();) {
    if (nest.loops[i].extent != 1) {
      ++i;
      continue;
    }
    auto replacements = shiftDown(i, getAffineConstantExpr(0, context), dim(i));
    for (AffineExpr *expr : expressions(nest))
      *expr = expr->replaceDims(replacements);
    nest.loops.erase(nest.loops.begin() + i);
  }
  for (unsigned i = 0; i + 1 < nest.loops.size();) {
    int64_t inner = nest.loops[i + 1].extent;
    unsigned loops = nest.loops.size();
    bool alike = nest.loops[i].reduction == nest.loops[i + 1].reduction;
    for (auto *list :
         {&nest.inputs, &nest.inits, &nest.epilogueInputs, &nest.outputs})
      for (Access &access : *list)
        alike &= walksAlike(access, i, inner, loops);
    if (!alike) {
      ++i;
      continue;
    }
    // An access that walks both alike has stride 1 × the inner one's in the
    // collapsed loop; other expressions (of linalg.index) divide.
    auto inAccess = shiftDown(i, getAffineConstantExpr(0, context), dim(i));
    auto elsewhere = shiftDown(i, dim(i).floorDiv(inner), dim(i) % inner);
    for (auto *list :
         {&nest.inputs, &nest.inits, &nest.epilogueInputs, &nest.outputs})
      for (Access &access : *list) {
        access.offset = access.offset.replaceDims(inAccess);
        for (Access::Bound &bound : access.bounds)
          bound.expr = bound.expr.replaceDims(inAccess);
      }
    for (auto *list : {&nest.rootDims, &nest.epilogueDims})
      for (AffineExpr &expr : *list)
        expr = expr.replaceDims(elsewhere);
    nest.loops[i].extent *= inner;
    nest.loops.erase(nest.loops.begin() + i + 1);
  }
}
