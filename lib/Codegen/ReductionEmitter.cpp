// Reduction kernels.
//
// The results are numbered row-major over the parallel loops (0 … results), the
// elements of one reduction over the reduction loops (0 … length). `lanes`
// threads share one result. Where the largest input is contiguous along the
// reduction, lanes are neighbouring threads and vectors lie along the
// reduction; otherwise neighbouring threads hold neighbouring results (and
// vectors of them).
//
//   one thread:  element tile + (u * lanes + lane) * width of each tile, u <
//   unroll,
//                into `unroll` accumulators, which a tree combines
//   one block:   lanes by shuffles and shared memory
//   the grid:    with split > 1 each part writes its partial result to a
//   temporary,
//                and a second kernel reduces the parts
//
// Accumulating floats in one long chain loses accuracy, so no chain of rounding
// combiners is longer than 128: loops over tiles are nested, each level
// starting from the neutral element.
#include "ReductionEmitter.h"

#include "Combiner.h"
#include "Emission.h"
#include "Epilogue.h"
#include "Knobs.h"
#include "LaneReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

static constexpr int64_t kChain = 128;

//===----------------------------------------------------------------------===//
// Order of loops
//===----------------------------------------------------------------------===//

/// The input that most elements are read of.
static const Access *largestInput(const Nest &nest) {
  const Access *largest = nullptr;
  int64_t most = 0;
  for (const Access &access : nest.inputs) {
    if (isUndefined(access.tensor))
      continue;
    int64_t elements = 1;
    for (auto [i, loop] : llvm::enumerate(nest.loops))
      if (access.isFunctionOfLoop(i))
        elements *= loop.extent;
    if (elements > most) {
      most = elements;
      largest = &access;
    }
  }
  return largest;
}

/// The loop along which the largest input is contiguous, or the last one.
static unsigned contiguousLoop(const Nest &nest) {
  if (const Access *largest = largestInput(nest))
    if (auto strides = largest->strides(nest.loops.size()))
      for (unsigned i = 0; i < nest.loops.size(); ++i)
        if ((*strides)[i] == 1)
          return i;
  return nest.loops.size() - 1;
}

void kernelskill::orderForReduction(Nest &nest) {
  sortLoops(nest, std::nullopt);
  collapseLoops(nest);
  if (!nest.loops.empty())
    sortLoops(nest, contiguousLoop(nest));
}

bool kernelskill::runsAlongReduction(const Nest &nest) {
  return nest.loops.empty() || nest.loops[contiguousLoop(nest)].reduction;
}

//===----------------------------------------------------------------------===//
// One stage: a kernel that reduces
//===----------------------------------------------------------------------===//

namespace {
/// What a stage reduces: elements of inputs over loops, parallel ones first.
struct Summands {
  SmallVector<int64_t> parallel, reduction;
  bool alongReduction;
  SmallVector<Access> inputs;
  /// The elements to combine, made of the loaded inputs.
  std::function<SmallVector<Value>(Kernel &kernel, ArrayRef<Value> loaded,
                                   ArrayRef<Value> loops, Lanes lanes)>
      elements;

  int64_t results() const { return llvm::product_of(parallel); }
  int64_t length() const { return llvm::product_of(reduction); }
};

/// Stores the reduced values of results `first` … `first` + width, part `part`.
using Finish = llvm::function_ref<void(Kernel &kernel, ArrayRef<Value> values,
                                       Value first, int64_t width, Value part)>;

class Stage {
public:
  Stage(const Summands &summands, ArrayRef<Combiner> combiners,
        const ReductionKnobs &knobs)
      : summands(summands), combiners(combiners), knobs(knobs),
        along(summands.alongReduction),
        step(knobs.lanes * (along ? knobs.vectorWidth : 1)),
        tile(step * knobs.unroll), tiles(summands.length() / tile),
        tilesPerPart(
            llvm::divideCeil(std::max<int64_t>(tiles, 1), knobs.split)) {}

  int64_t blocksPerPart() const {
    return llvm::divideCeil(summands.results(), resultsPerBlock());
  }
  void emit(Kernel &kernel, Finish finish);

private:
  int64_t groups() const { return knobs.blockSize / knobs.lanes; }
  int64_t resultsPerBlock() const {
    return groups() * (along ? 1 : knobs.vectorWidth);
  }
  /// Vectors of a reduction's elements lie along its last loop.
  Lanes vector(int64_t width) const {
    unsigned loops =
        summands.parallel.size() + (along ? summands.reduction.size() : 0);
    return {width, loops - 1};
  }
  SmallVector<Value> neutral(int64_t width) const {
    return llvm::map_to_vector(combiners, [&](const Combiner &combiner) {
      return combiner.emitNeutral(*b, width);
    });
  }
  Value add(Value left, Value right) {
    return b->createOrFold<arith::AddIOp>(left, right,
                                          arith::IntegerOverflowFlags::nsw);
  }
  Value scale(Value value, int64_t factor) {
    return b->createOrFold<arith::MulIOp>(value, constantIndex(*b, factor),
                                          arith::IntegerOverflowFlags::nsw);
  }
  SmallVector<Value> loopsAt(Value element);
  SmallVector<Value> load(ArrayRef<Value> loops, int64_t width);
  void accumulate(MutableArrayRef<Value> sums, ArrayRef<Value> loaded,
                  ArrayRef<Value> loops, int64_t width);
  void accumulateTile(Value number, MutableArrayRef<Value> sums);
  SmallVector<Value> sumTiles(Value from, Value to, int64_t count);
  SmallVector<Value> sumThread(Value part);

  const Summands &summands;
  ArrayRef<Combiner> combiners;
  ReductionKnobs knobs;
  /// Lanes and vectors lie along the reduction.
  bool along;
  int64_t step, tile, tiles, tilesPerPart;

  Kernel *kernel = nullptr;
  ImplicitLocOpBuilder *b = nullptr;
  Value lane;
  SmallVector<Value> parallelLoops;
};
} // namespace

SmallVector<Value> Stage::loopsAt(Value element) {
  SmallVector<Value> loops(parallelLoops);
  llvm::append_range(loops, emitDelinearize(*b, element, summands.reduction));
  return loops;
}

SmallVector<Value> Stage::load(ArrayRef<Value> loops, int64_t width) {
  return llvm::map_to_vector(summands.inputs, [&](const Access &access) {
    if (isUndefined(access.tensor))
      return Value();
    return emitLoad(*b, access, kernel->flat.at(access.tensor), loops,
                    vector(width));
  });
}

void Stage::accumulate(MutableArrayRef<Value> sums, ArrayRef<Value> loaded,
                       ArrayRef<Value> loops, int64_t width) {
  SmallVector<Value> elements =
      summands.elements(*kernel, loaded, loops, vector(width));
  for (auto [sum, element, combiner] : llvm::zip(sums, elements, combiners))
    sum = combiner.combine(*b, sum, emitBroadcast(*b, element, width));
}

/// Adds tile `number` to `unroll` sets of sums; all loads come first.
void Stage::accumulateTile(Value number, MutableArrayRef<Value> sums) {
  Value first =
      add(scale(number, tile), scale(lane, along ? knobs.vectorWidth : 1));
  SmallVector<SmallVector<Value>> loops, loaded;
  for (int64_t u = 0; u < knobs.unroll; ++u) {
    loops.push_back(loopsAt(add(first, constantIndex(*b, u * step))));
    loaded.push_back(load(loops.back(), knobs.vectorWidth));
  }
  for (int64_t u = 0; u < knobs.unroll; ++u)
    accumulate(sums.slice(u * combiners.size(), combiners.size()), loaded[u],
               loops[u], knobs.vectorWidth);
}

/// Sums over tiles [from, to), of which there are at most `count`.
SmallVector<Value> Stage::sumTiles(Value from, Value to, int64_t count) {
  size_t results = combiners.size();
  bool rounds = llvm::any_of(
      combiners, [](const Combiner &combiner) { return combiner.rounds(); });
  int64_t stride = 1;
  if (rounds)
    while (stride * kChain < count)
      stride *= kChain;
  SmallVector<Value> starts;
  for (int64_t u = 0; u < (stride == 1 ? knobs.unroll : 1); ++u)
    llvm::append_range(starts, neutral(knobs.vectorWidth));
  auto loop =
      scf::ForOp::create(*b, from, to, constantIndex(*b, stride), starts);
  {
    OpBuilder::InsertionGuard guard(*b);
    b->setInsertionPointToStart(loop.getBody());
    SmallVector<Value> sums(loop.getRegionIterArgs());
    Value position = loop.getInductionVar();
    if (stride == 1) {
      accumulateTile(position, sums);
    } else {
      Value end = b->createOrFold<arith::MinUIOp>(
          add(position, constantIndex(*b, stride)), to);
      SmallVector<Value> inner = sumTiles(position, end, stride);
      for (auto [sum, value, combiner] : llvm::zip(sums, inner, combiners))
        sum = combiner.combine(*b, sum, value);
    }
    scf::YieldOp::create(*b, sums);
  }
  SmallVector<Value> sums;
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    SmallVector<Value> values;
    for (size_t u = i; u < starts.size(); u += results)
      values.push_back(loop.getResult(u));
    sums.push_back(combiner.combineTree(*b, values));
  }
  return sums;
}

/// What this thread accumulates of its part: full tiles, then (the last part)
/// the elements after the last full tile, one at a time.
SmallVector<Value> Stage::sumThread(Value part) {
  int64_t width = along ? 1 : knobs.vectorWidth;
  SmallVector<Value> sums;
  if (tiles > 0) {
    Value from = scale(part, tilesPerPart);
    Value to = add(from, constantIndex(*b, tilesPerPart));
    if (tilesPerPart * knobs.split != tiles)
      to = b->createOrFold<arith::MinUIOp>(to, constantIndex(*b, tiles));
    sums = sumTiles(from, to, tilesPerPart);
    if (along)
      for (auto [sum, combiner] : llvm::zip(sums, combiners))
        sum = combiner.combineLanes(*b, sum);
  }
  int64_t length = summands.length();
  if (tiles * tile == length)
    return sums;
  Value end = constantIndex(*b, length);
  Value start = add(constantIndex(*b, tiles * tile), lane);
  if (knobs.split > 1) {
    Value last = arith::CmpIOp::create(*b, arith::CmpIPredicate::eq, part,
                                       constantIndex(*b, knobs.split - 1));
    start = arith::SelectOp::create(*b, last, start, end);
  }
  auto loop = scf::ForOp::create(*b, start, end, constantIndex(*b, knobs.lanes),
                                 neutral(width));
  {
    OpBuilder::InsertionGuard guard(*b);
    b->setInsertionPointToStart(loop.getBody());
    SmallVector<Value> rest(loop.getRegionIterArgs());
    SmallVector<Value> loops = loopsAt(loop.getInductionVar());
    accumulate(rest, load(loops, width), loops, width);
    scf::YieldOp::create(*b, rest);
  }
  if (sums.empty())
    return SmallVector<Value>(loop.getResults());
  for (auto [sum, rest, combiner] :
       llvm::zip(sums, loop.getResults(), combiners))
    sum = combiner.combine(*b, sum, rest);
  return sums;
}

void Stage::emit(Kernel &inKernel, Finish finish) {
  kernel = &inKernel;
  b = &inKernel.b;
  Value blocks = constantIndex(*b, blocksPerPart());
  Value part = constantIndex(*b, 0), block = kernel->blockId;
  if (knobs.split > 1) {
    part = b->createOrFold<arith::DivUIOp>(block, blocks);
    block = b->createOrFold<arith::RemUIOp>(block, blocks);
  }
  LaneGroups threads{knobs.lanes, groups(), along, {}, {}};
  threads.lane = constantIndex(*b, 0);
  threads.group = kernel->threadId;
  if (groups() == 1) {
    threads.lane = kernel->threadId;
    threads.group = constantIndex(*b, 0);
  } else if (knobs.lanes > 1) {
    Value inner = constantIndex(*b, along ? knobs.lanes : groups());
    Value low = b->createOrFold<arith::RemUIOp>(kernel->threadId, inner);
    Value high = b->createOrFold<arith::DivUIOp>(kernel->threadId, inner);
    threads.lane = along ? low : high;
    threads.group = along ? high : low;
  }
  lane = threads.lane;
  int64_t width = along ? 1 : knobs.vectorWidth;
  Value first =
      add(scale(block, resultsPerBlock()), scale(threads.group, width));
  Value active;
  OpBuilder::InsertionGuard guard(*b);
  if (summands.results() % resultsPerBlock() != 0) {
    active = arith::CmpIOp::create(*b, arith::CmpIPredicate::ult, first,
                                   constantIndex(*b, summands.results()));
    if (knobs.lanes == 1) {
      auto guarded = scf::IfOp::create(*b, active);
      b->setInsertionPointToStart(guarded.thenBlock());
      active = Value();
    } else {
      // Barriers and shuffles need every thread: those without a result
      // repeat the first one and store nothing.
      first = arith::SelectOp::create(*b, active, first, constantIndex(*b, 0));
    }
  }
  parallelLoops = emitDelinearize(*b, first, summands.parallel);
  SmallVector<Value> sums = sumThread(part);
  emitLaneReduction(*kernel, threads, active, combiners, sums,
                    [&](ArrayRef<Value> values) {
                      finish(*kernel, values, first, width, part);
                    });
}

//===----------------------------------------------------------------------===//
// Whole reductions
//===----------------------------------------------------------------------===//

static Summands rootSummands(const Nest &nest, ArrayRef<Combiner> combiners) {
  Summands summands;
  for (const Loop &loop : nest.loops)
    (loop.reduction ? summands.reduction : summands.parallel)
        .push_back(loop.extent);
  summands.alongReduction = runsAlongReduction(nest);
  summands.inputs = nest.inputs;
  SmallVector<Value> wanted = llvm::map_to_vector(
      combiners, [](const Combiner &combiner) { return combiner.element; });
  summands.elements = [&nest, wanted](Kernel &kernel, ArrayRef<Value> loaded,
                                      ArrayRef<Value> loops, Lanes lanes) {
    return cloneBody(kernel, nest.root, wanted, loaded, nest.rootDims, loops,
                     lanes);
  };
  return summands;
}

llvm::Error kernelskill::checkReduction(const Nest &nest,
                                        const ReductionKnobs &knobs) {
  FailureOr<SmallVector<Combiner>> combiners = matchCombiners(nest.root);
  if (nest.extentOf(/*reduction=*/true) == 1)
    return refusal("the dispatch has no reduction loop");
  if (failed(combiners))
    return refusal("the reduction's region is not one commutative, associative "
                   "op on each accumulator");
  if (knobs.blockSize % 32 != 0 || knobs.blockSize > 1024)
    return refusal("knob 'block_size' must be a multiple of 32 up to 1024, but "
                   "is {0}",
                   knobs.blockSize);
  Summands summands = rootSummands(nest, *combiners);
  if (knobs.blockSize % knobs.lanes != 0)
    return refusal("knob 'lanes' ({0}) must divide the block size {1}",
                   knobs.lanes, knobs.blockSize);
  if (summands.alongReduction ? !llvm::isPowerOf2_64(knobs.lanes)
                              : knobs.lanes > 32)
    return refusal("knob 'lanes' must be {0}, but is {1}",
                   summands.alongReduction
                       ? "a power of two where lanes lie along the reduction"
                       : "at most 32 where lanes lie along the results",
                   knobs.lanes);
  if (!llvm::isPowerOf2_64(knobs.vectorWidth) || knobs.vectorWidth > 16)
    return refusal("knob 'vector_width' must be 1, 2, 4, 8 or 16, but is {0}",
                   knobs.vectorWidth);
  if (knobs.unroll > 64)
    return refusal("knob 'unroll' must be at most 64, but is {0}",
                   knobs.unroll);
  // Vectors may not cross the end of their loop, and must be aligned.
  ArrayRef<int64_t> vectorLoops =
      summands.alongReduction ? summands.reduction : summands.parallel;
  unsigned loop = summands.parallel.size() +
                  (summands.alongReduction ? summands.reduction.size() : 0) - 1;
  bool whole = summands.alongReduction && vectorLoops.size() == 1;
  if (!whole && vectorLoops.back() % knobs.vectorWidth != 0)
    return refusal("the contiguous extent {0} is no multiple of the "
                   "vector width {1}",
                   vectorLoops.back(), knobs.vectorWidth);
  for (const Access &access : nest.inputs) {
    auto strides = access.strides(nest.loops.size());
    if (!strides)
      continue;
    for (auto [i, stride] : llvm::enumerate(*strides))
      if ((*strides)[loop] == 1 && i != loop && stride % knobs.vectorWidth != 0)
        return refusal("an input's stride {0} is no multiple of the vector "
                       "width {1}",
                       stride, knobs.vectorWidth);
  }
  int64_t tile = knobs.lanes * knobs.unroll *
                 (summands.alongReduction ? knobs.vectorWidth : 1);
  if (knobs.split > 1 && knobs.split > summands.length() / tile)
    return refusal("knob 'split' ({0}) is more than the {1} full tiles of the "
                   "reduction",
                   knobs.split, summands.length() / tile);
  Stage stage(summands, *combiners, knobs);
  if (stage.blocksPerPart() > std::numeric_limits<int32_t>::max() / knobs.split)
    return refusal("the results need more blocks than a grid has");
  return llvm::Error::success();
}

/// Combines with the starting values and stores, through the epilogue.
static void finishResults(Kernel &kernel, const Nest &nest,
                          ArrayRef<int64_t> parallel,
                          ArrayRef<Combiner> combiners, ArrayRef<Value> values,
                          Value first, int64_t width) {
  SmallVector<Value> loops = emitDelinearize(kernel.b, first, parallel);
  Lanes lanes{width,
              static_cast<unsigned>(std::max<size_t>(loops.size(), 1) - 1)};
  loops.resize(nest.loops.size());
  SmallVector<Value> results;
  for (auto [i, combiner] : llvm::enumerate(combiners)) {
    Value value = values[i];
    if (!isUndefined(nest.inits[i].tensor))
      value = combiner.combine(
          kernel.b,
          emitBroadcast(kernel.b, emitInit(kernel, nest, i, loops, lanes),
                        width),
          value);
    results.push_back(value);
  }
  emitResults(kernel, nest, results, loops, lanes);
}

/// How the second kernel reduces `parts` partial results each.
static ReductionKnobs knobsOfParts(int64_t parts, bool alongParts) {
  ReductionKnobs knobs;
  if (alongParts)
    knobs.lanes = std::min<int64_t>(256, llvm::PowerOf2Ceil(parts));
  knobs.unroll = std::clamp<int64_t>(parts / knobs.lanes, 1, 8);
  return knobs;
}

void kernelskill::emitReduction(KernelBuilder &builder, const Nest &nest,
                                const ReductionKnobs &knobs) {
  SmallVector<Combiner> combiners = *matchCombiners(nest.root);
  Summands summands = rootSummands(nest, combiners);
  Stage stage(summands, combiners, knobs);
  int64_t grid = stage.blocksPerPart() * knobs.split;
  if (knobs.split == 1) {
    Kernel kernel =
        builder.begin(nest.reads(), nest.writes(), grid, knobs.blockSize);
    stage.emit(kernel, [&](Kernel &kernel, ArrayRef<Value> values, Value first,
                           int64_t width, Value) {
      finishResults(kernel, nest, summands.parallel, combiners, values, first,
                    width);
    });
    builder.end(kernel);
    return;
  }

  // Partial results: those of one result side by side where there are enough of
  // them for a warp, else those of one part.
  MLIRContext *context = builder.context();
  int64_t results = summands.results();
  bool alongParts = knobs.split >= 32;
  AffineExpr result = getAffineDimExpr(0, context);
  AffineExpr part = getAffineDimExpr(1, context);
  AffineExpr offset =
      alongParts ? result * knobs.split + part : part * results + result;
  Summands parts;
  parts.parallel = {results};
  parts.reduction = {knobs.split};
  parts.alongReduction = alongParts;
  SmallVector<Value> temporaries;
  for (const Combiner &combiner : combiners) {
    Value buffer = builder.temporary({results * knobs.split}, combiner.type());
    temporaries.push_back(buffer);
    parts.inputs.push_back({buffer, offset});
  }
  parts.elements = [](Kernel &, ArrayRef<Value> loaded, ArrayRef<Value>,
                      Lanes) { return SmallVector<Value>(loaded); };

  Kernel first =
      builder.begin(nest.inputReads(), temporaries, grid, knobs.blockSize);
  stage.emit(first, [&](Kernel &kernel, ArrayRef<Value> values, Value from,
                        int64_t width, Value part) {
    for (auto [access, value] : llvm::zip(parts.inputs, values))
      emitStore(kernel.b, access, kernel.flat.at(access.tensor), value,
                {from, part}, Lanes{width, 0});
  });
  builder.end(first);

  SmallVector<Value> reads(temporaries);
  llvm::append_range(reads, nest.finishReads());
  ReductionKnobs partKnobs = knobsOfParts(knobs.split, alongParts);
  Stage combine(parts, combiners, partKnobs);
  Kernel second = builder.begin(reads, nest.writes(), combine.blocksPerPart(),
                                partKnobs.blockSize);
  combine.emit(second, [&](Kernel &kernel, ArrayRef<Value> values, Value from,
                           int64_t width, Value) {
    finishResults(kernel, nest, summands.parallel, combiners, values, from,
                  width);
  });
  builder.end(second);
}
