// One thread a line.
//
// Lines are numbered row-major over the other dimensions, so that neighbouring
// threads read neighbouring elements wherever the scanned dimension is not the
// innermost.
#include "ScanEmitter.h"

#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace kernelskill;

ScanOp kernelskill::scanOf(func::FuncOp dispatch) {
  auto scans = dispatch.getBody().front().getOps<ScanOp>();
  return scans.empty() ? ScanOp() : *scans.begin();
}

static Value emitCombination(ImplicitLocOpBuilder &b, ScanOp scan, Value sum,
                             Value element) {
  Block &body = scan.getCombiner().front();
  IRMapping map;
  map.map(body.getArgument(0), sum);
  map.map(body.getArgument(1), element);
  for (Operation &op : body.without_terminator())
    b.clone(op, map);
  return map.lookup(cast<YieldOp>(body.getTerminator()).getValue());
}

void kernelskill::emitScan(KernelBuilder &builder, ScanOp scan,
                           int64_t blockSize) {
  ArrayRef<int64_t> shape = scan.getInputType().getShape();
  int64_t length = shape[scan.getDimension()];
  int64_t inner = llvm::product_of(shape.drop_front(scan.getDimension() + 1));
  int64_t lines = llvm::product_of(shape) / length;
  Kernel kernel = builder.begin(scan.getInput(), scan.getResult(),
                                llvm::divideCeil(lines, blockSize), blockSize);
  ImplicitLocOpBuilder &b = kernel.b;
  AffineExpr block = b.getAffineDimExpr(0), thread = b.getAffineDimExpr(1);
  Value line = emitExpr(b, block * blockSize + thread,
                        {kernel.blockId, kernel.threadId});
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, line,
                                       constantIndex(b, lines));
  auto guarded = scf::IfOp::create(b, inside);
  b.setInsertionPointToStart(guarded.thenBlock());
  SmallVector<Value> around = emitDelinearize(b, line, {lines / inner, inner});
  Value identity = arith::ConstantOp::create(b, scan.getIdentity());
  // One long chain would lose digits with its length: elements are combined in
  // blocks that start anew, and what came before a block is added to each.
  // Blocks of 128 as everywhere, longer where there would be too many of them.
  int64_t stride = std::max<int64_t>(128, std::ceil(std::sqrt(length / 2.0)));
  auto blocks =
      scf::ForOp::create(b, constantIndex(b, 0), constantIndex(b, length),
                         constantIndex(b, stride), identity);
  b.setInsertionPointToStart(blocks.getBody());
  Value before = blocks.getRegionIterArg(0);
  Value first = blocks.getInductionVar();
  Value end = arith::MinUIOp::create(b, emitExpr(b, block + stride, {first}),
                                     constantIndex(b, length));
  auto loop = scf::ForOp::create(b, first, end, constantIndex(b, 1), identity);
  b.setInsertionPointToStart(loop.getBody());
  AffineExpr step = b.getAffineDimExpr(2);
  if (scan.getReverse())
    step = length - 1 - step;
  Value position = emitExpr(b, (block * length + step) * inner + thread,
                            {around[0], around[1], loop.getInductionVar()});
  Value element =
      memref::LoadOp::create(b, kernel.flat.at(scan.getInput()), position);
  Value old = loop.getRegionIterArg(0);
  Value sum = emitCombination(b, scan, old, element);
  Value stored =
      emitCombination(b, scan, before, scan.getExclusive() ? old : sum);
  memref::StoreOp::create(b, stored, kernel.flat.at(scan.getResult()),
                          position);
  scf::YieldOp::create(b, sum);
  b.setInsertionPointAfter(loop);
  scf::YieldOp::create(b, emitCombination(b, scan, before, loop.getResult(0)));
  builder.end(kernel);
}
