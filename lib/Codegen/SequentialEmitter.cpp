// One thread a result, reduction loops in order.
#include "SequentialEmitter.h"

#include "Emission.h"
#include "Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

namespace {
struct SequentialLoops {
  Kernel &kernel;
  const Nest &nest;
  SmallVector<Value> loops;

  /// Runs loop `number` and those inside it.
  SmallVector<Value> run(unsigned number, ArrayRef<Value> sums);
  SmallVector<Value> body(ArrayRef<Value> sums);
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

SmallVector<Value> SequentialLoops::run(unsigned number, ArrayRef<Value> sums) {
  ImplicitLocOpBuilder &b = kernel.b;
  if (number == nest.loops.size())
    return body(sums);
  auto loop = scf::ForOp::create(b, constantIndex(b, 0),
                                 constantIndex(b, nest.loops[number].extent),
                                 constantIndex(b, 1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  loops[number] = loop.getInductionVar();
  SmallVector<Value> carried(loop.getRegionIterArgs());
  scf::YieldOp::create(b, run(number + 1, carried));
  return SmallVector<Value>(loop.getResults());
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
  SequentialLoops loops{kernel, nest, emitDelinearize(b, result, parallel)};
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
