// Splits long reductions into blocks, on tensors. See Passes.td.
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"

namespace kernelskill {
#define GEN_PASS_DEF_BLOCKSUMS
#include "KernelSkill/Verify/Passes.h.inc"
} // namespace kernelskill

using namespace mlir;

namespace {

// What one level of splitting does with a loop.
struct LoopPlan {
  bool partial = false;  // becomes a dimension of the partial results
  int64_t factor = 1;    // > 1: split, `factor` of it are reduced in a block
  unsigned position = 0; // of the loop (of its reduced part) in the new op
  unsigned partialPosition = 0; // of the part that becomes parallel
};

int64_t largestDivisor(int64_t size, int64_t limit) {
  for (int64_t divisor = limit; divisor > 1; --divisor)
    if (size % divisor == 0)
      return divisor;
  return 1;
}

// Splits one op. The ops that it creates and that may still be too long are
// left in `created`.
class Splitter {
public:
  Splitter(RewriterBase &rewriter, linalg::GenericOp op, int64_t block)
      : rewriter(rewriter), op(op), block(block),
        sizes(op.getStaticLoopRanges()) {}

  bool run();
  SmallVector<linalg::GenericOp> created;

private:
  bool matchCombiners();
  static bool isPureIn(AffineMap map, unsigned loop);
  bool isSplittable(unsigned loop);
  bool planLoops();
  void placeLoops();
  void peelRemainder(unsigned loop, int64_t remainder);
  Value slice(OpOperand &operand, unsigned loop, int64_t offset, int64_t size);
  linalg::GenericOp cloneWith(ValueRange inputs, ValueRange outputs);
  void split();
  Value expand(OpOperand &operand, AffineMap &map);
  linalg::GenericOp reducePartial(Value partial, unsigned result);

  RewriterBase &rewriter;
  linalg::GenericOp op;
  int64_t block;
  SmallVector<int64_t> sizes;
  SmallVector<Operation *> combiners;
  SmallVector<TypedAttr> neutrals;
  SmallVector<LoopPlan> plans;
  SmallVector<utils::IteratorType> iterators; // of the op with partial results
  SmallVector<int64_t> newSizes;
};

} // namespace

bool Splitter::matchCombiners() {
  for (unsigned result = 0; result < op.getNumDpsInits(); ++result) {
    if (!op.getMatchingIndexingMap(op.getDpsInitOperand(result))
             .isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    SmallVector<Operation *> found;
    Value reduced = matchReduction(op.getRegionOutputArgs(), result, found);
    if (!reduced || found.size() != 1)
      return false;
    std::optional<TypedAttr> neutral = arith::getNeutralElement(found.front());
    if (!neutral)
      return false;
    combiners.push_back(found.front());
    neutrals.push_back(*neutral);
  }
  return true;
}

bool Splitter::isPureIn(AffineMap map, unsigned loop) {
  return llvm::all_of(map.getResults(), [&](AffineExpr result) {
    return isa<AffineDimExpr>(result) || !result.isFunctionOfDim(loop);
  });
}

bool Splitter::isSplittable(unsigned loop) {
  for (AffineMap map : op.getIndexingMapsArray())
    if (!isPureIn(map, loop))
      return false;
  return !op.getBody()
              ->walk([&](linalg::IndexOp index) {
                return index.getDim() == loop ? WalkResult::interrupt()
                                              : WalkResult::advance();
              })
              .wasInterrupted();
}

// Decides which loops a block reduces: whole loops from the innermost out while
// they fit, then a part of the next. False where a remainder was peeled off
// instead: the op is gone.
bool Splitter::planLoops() {
  plans.assign(sizes.size(), LoopPlan());
  int64_t budget = block;
  for (unsigned loop = sizes.size(); loop-- > 0;) {
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      continue;
    int64_t size = sizes[loop];
    if (size <= budget) {
      budget /= std::max<int64_t>(size, 1);
      continue;
    }
    LoopPlan &plan = plans[loop];
    plan.partial = true;
    if (budget < 2 || !isSplittable(loop))
      continue;
    int64_t divisor = largestDivisor(size, budget);
    if (divisor > 1 && divisor >= budget / 4) {
      plan.factor = divisor;
      budget /= divisor;
    } else if (budget >= 8) {
      peelRemainder(loop, size % budget);
      return false;
    }
  }
  return true;
}

Value Splitter::slice(OpOperand &operand, unsigned loop, int64_t offset,
                      int64_t size) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = cast<RankedTensorType>(operand.get().getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, op.getLoc(), operand.get());
  bool sliced = false;
  for (auto [dimension, result] : llvm::enumerate(map.getResults())) {
    if (!result.isFunctionOfDim(loop))
      continue;
    offsets[dimension] = rewriter.getIndexAttr(offset);
    extents[dimension] = rewriter.getIndexAttr(size);
    sliced = true;
  }
  if (!sliced)
    return operand.get();
  return tensor::ExtractSliceOp::create(rewriter, op.getLoc(), operand.get(),
                                        offsets, extents, strides);
}

linalg::GenericOp Splitter::cloneWith(ValueRange inputs, ValueRange outputs) {
  SmallVector<Value> operands(inputs);
  llvm::append_range(operands, outputs);
  return cast<linalg::GenericOp>(
      clone(rewriter, op, op.getResultTypes(), operands));
}

// The last `remainder` iterations of a loop come first, the others take their
// result as initial value.
void Splitter::peelRemainder(unsigned loop, int64_t remainder) {
  int64_t main = sizes[loop] - remainder;
  SmallVector<Value> tailInputs, mainInputs;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    tailInputs.push_back(slice(*operand, loop, main, remainder));
    mainInputs.push_back(slice(*operand, loop, 0, main));
  }
  linalg::GenericOp tail = cloneWith(tailInputs, op.getDpsInits());
  linalg::GenericOp rest = cloneWith(mainInputs, tail.getResults());
  rewriter.replaceOp(op, rest.getResults());
  created = {tail, rest};
}

// Where each loop goes. A parallel loop that is innermost in some operand stays
// the fastest; else the new parallel part of the innermost reduction is.
void Splitter::placeLoops() {
  int lastParallel = -1;
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (map.getNumResults() == 0)
      continue;
    AffineExpr inner = map.getResult(map.getNumResults() - 1);
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == utils::IteratorType::parallel && sizes[loop] >= 8 &&
          inner.isFunctionOfDim(loop))
        lastParallel = std::max(lastParallel, static_cast<int>(loop));
  }
  auto place = [&](utils::IteratorType type, int64_t size) {
    iterators.push_back(type);
    newSizes.push_back(size);
    return static_cast<unsigned>(iterators.size() - 1);
  };
  auto placePartials = [&] {
    for (auto [plan, size] : llvm::zip_equal(plans, sizes))
      if (plan.partial)
        plan.partialPosition =
            place(utils::IteratorType::parallel, size / plan.factor);
  };
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (static_cast<int>(loop) == lastParallel)
      placePartials();
    LoopPlan &plan = plans[loop];
    if (!plan.partial)
      plan.position = place(type, sizes[loop]);
    else if (plan.factor > 1)
      plan.position = place(utils::IteratorType::reduction, plan.factor);
  }
  if (lastParallel < 0)
    placePartials();
  for (LoopPlan &plan : plans)
    if (plan.partial && plan.factor == 1)
      plan.position = plan.partialPosition;
}

// The operand with each split loop's dimension in two, and its new map.
Value Splitter::expand(OpOperand &operand, AffineMap &map) {
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> replacements, results;
  for (LoopPlan &plan : plans)
    replacements.push_back(getAffineDimExpr(plan.position, context));
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  bool expanded = false;
  for (auto [dimension, result] : llvm::enumerate(map.getResults())) {
    groups.emplace_back();
    results.push_back(result.replaceDims(replacements));
    groups.back().push_back(shape.size());
    auto pure = dyn_cast<AffineDimExpr>(result);
    const LoopPlan *plan = pure ? &plans[pure.getPosition()] : nullptr;
    if (!plan || plan->factor == 1) {
      shape.push_back(type.getDimSize(dimension));
      continue;
    }
    shape.push_back(plan->factor);
    groups.back().push_back(shape.size());
    shape.push_back(type.getDimSize(dimension) / plan->factor);
    results.push_back(getAffineDimExpr(plan->partialPosition, context));
    expanded = true;
  }
  map = AffineMap::get(iterators.size(), 0, results, context);
  if (!expanded)
    return operand.get();
  return tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), operand.get(),
      groups);
}

// Reduces the partial results of one result into its initial value.
linalg::GenericOp Splitter::reducePartial(Value partial, unsigned result) {
  MLIRContext *context = op.getContext();
  AffineMap initMap = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  // The loops of the partial results, in the order of their dimensions.
  SmallVector<unsigned> loops;
  for (auto [loop, type] : llvm::enumerate(iterators))
    if (type == utils::IteratorType::parallel)
      loops.push_back(loop);
  SmallVector<utils::IteratorType> types(loops.size(),
                                         utils::IteratorType::reduction);
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : initMap.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) { // the zero of a reduced dimension that is kept
      results.push_back(expr);
      continue;
    }
    unsigned loop = plans[dim.getPosition()].position;
    unsigned dimension = llvm::find(loops, loop) - loops.begin();
    types[dimension] = utils::IteratorType::parallel;
    results.push_back(getAffineDimExpr(dimension, context));
  }
  // A parallel loop of the op that the result lacks can't be: each result is
  // written once for each of its elements.
  AffineMap outMap = AffineMap::get(loops.size(), 0, results, context);
  Value init = op.getDpsInits()[result];
  Operation *combiner = combiners[result];
  BlockArgument accumulator = op.getRegionOutputArgs()[result];
  return linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange{init.getType()}, ValueRange{partial},
      ValueRange{init},
      ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(loops.size()),
                          outMap},
      types, [&](OpBuilder &builder, Location loc, ValueRange args) {
        IRMapping mapping;
        for (Value operand : combiner->getOperands())
          mapping.map(operand, operand == accumulator ? args[1] : args[0]);
        Operation *clone = builder.clone(*combiner, mapping);
        linalg::YieldOp::create(builder, loc, clone->getResult(0));
      });
}

void Splitter::split() {
  Location loc = op.getLoc();
  SmallVector<Value> inputs, partials;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    inputs.push_back(expand(*operand, map));
    maps.push_back(map);
  }
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> results;
  for (auto [loop, type] : llvm::enumerate(iterators))
    if (type == utils::IteratorType::parallel) {
      shape.push_back(newSizes[loop]);
      results.push_back(getAffineDimExpr(loop, op.getContext()));
    }
  for (TypedAttr neutral : neutrals) {
    Value value = arith::ConstantOp::create(rewriter, loc, neutral);
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, shape, neutral.getType());
    partials.push_back(
        linalg::FillOp::create(rewriter, loc, value, empty).getResult(0));
    maps.push_back(
        AffineMap::get(iterators.size(), 0, results, op.getContext()));
  }
  auto partialOp =
      linalg::GenericOp::create(rewriter, loc, ValueRange(partials).getTypes(),
                                inputs, partials, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), partialOp.getRegion(),
                             partialOp.getRegion().end());
  partialOp.walk([&](linalg::IndexOp index) {
    index.setDim(plans[index.getDim()].position);
  });
  SmallVector<Value> replaced;
  for (unsigned result = 0; result < partials.size(); ++result) {
    created.push_back(reducePartial(partialOp.getResult(result), result));
    replaced.push_back(created.back().getResult(0));
  }
  rewriter.replaceOp(op, replaced);
}

bool Splitter::run() {
  if (!matchCombiners())
    return false;
  rewriter.setInsertionPoint(op);
  if (!planLoops())
    return true;
  placeLoops();
  split();
  return true;
}

namespace {

struct BlockSums : kernelskill::impl::BlockSumsBase<BlockSums> {
  using BlockSumsBase::BlockSumsBase;

  bool isLong(linalg::LinalgOp op) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t chain = 1, results = 1;
    for (auto [size, type] :
         llvm::zip_equal(sizes, op.getIteratorTypesArray())) {
      if (ShapedType::isDynamic(size))
        return false;
      (type == utils::IteratorType::parallel ? results : chain) *= size;
    }
    return chain > block && (maxResults == 0 || results < maxResults);
  }

  void runOnOperation() override {
    if (block < 2) {
      getOperation().emitError("block must be at least 2, but is ") << block;
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> worklist;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && isLong(op))
        worklist.push_back(op);
    });
    while (!worklist.empty()) {
      linalg::LinalgOp op = worklist.pop_back_val();
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          isa<linalg::GenericOp>(op.getOperation())
              ? cast<linalg::GenericOp>(op.getOperation())
              : linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue;
      Splitter splitter(rewriter, *generic, block);
      if (!splitter.run())
        continue;
      for (linalg::GenericOp created : splitter.created)
        if (isLong(created))
          worklist.push_back(created);
    }
  }
};

} // namespace
