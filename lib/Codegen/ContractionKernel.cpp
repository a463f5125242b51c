// Writes a contraction kernel: block tiles from shared memory, thread tiles in
// registers, copies of the next tile beside the products of this one.
#include "ContractionKernel.h"

#include "ContractionCopies.h"
#include "Epilogue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kernelskill;

namespace {
class Emitter {
public:
  Emitter(Kernel &kernel, const ContractionShape &shape,
          const ContractionTiling &tiling)
      : kernel(kernel), b(kernel.b), shape(shape), tiling(tiling),
        knobs(tiling.knobs) {}
  void emit();

private:
  /// Where this thread works: its tile's first row and column, and its place
  /// among the threads of the block.
  struct Place {
    Value thread, threadM, threadN, batch, firstM, firstN;
  };
  /// What the loops over k carry: sums, and this thread's part of the tile that
  /// is to be stored to shared memory next.
  struct State {
    SmallVector<Value> sums, nextA, nextB;

    SmallVector<Value> flattened() const {
      SmallVector<Value> values(sums);
      llvm::append_range(values, nextA);
      llvm::append_range(values, nextB);
      return values;
    }
    void assign(ValueRange values) {
      size_t next = 0;
      for (SmallVector<Value> *part : {&sums, &nextA, &nextB})
        for (Value &value : *part)
          value = values[next++];
    }
  };
  Place findPlace();
  SmallVector<Value> sumAll(const TileCopier &a, const TileCopier &b,
                            const Place &place);
  /// Leaves the sums of the tiles [first, last) in the state.
  void sumChain(Value first, Value last, State &state, const TileCopier &a,
                const TileCopier &b, const Place &place);
  void readTile(Value tile, State &state, const TileCopier &a,
                const TileCopier &b);
  SmallVector<Value> fragment(Value shared, Value first, int64_t constant,
                              int64_t vectors, int64_t width, int64_t apart);
  void multiply(SmallVectorImpl<Value> &sums, Value offsetA, Value offsetB,
                const Place &place);
  void finish(ArrayRef<Value> sums, const Place &place);

  Value index(int64_t value) { return constantIndex(b, value); }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value mul(Value x, int64_t y) {
    return b.createOrFold<arith::MulIOp>(x, index(y));
  }
  Value div(Value x, int64_t y) {
    return b.createOrFold<arith::DivUIOp>(x, index(y));
  }
  Value rem(Value x, int64_t y) {
    return b.createOrFold<arith::RemUIOp>(x, index(y));
  }
  Kernel &kernel;
  ImplicitLocOpBuilder &b;
  const ContractionShape &shape;
  const ContractionTiling &tiling;
  const ContractionKnobs &knobs;
  Value sharedA, sharedB;
};
} // namespace

Emitter::Place Emitter::findPlace() {
  Place place;
  place.thread = kernel.threadId;
  Value block = kernel.blockId;
  int64_t tiles = tiling.tilesM * tiling.tilesN;
  place.batch = div(block, tiles);
  if (shape.batch.size() == 1)
    place.batch = index(0);
  else
    block = rem(block, tiles);

  // Blocks go down the rows of a group, then to its next column.
  int64_t group = std::min(knobs.group, tiling.tilesM);
  int64_t groupTiles = group * tiling.tilesN;
  Value firstTile = mul(div(block, groupTiles), group);
  Value inGroup = rem(block, groupTiles);
  Value height = index(group);
  if (tiling.tilesM % group)
    height = b.createOrFold<arith::MinUIOp>(
        height, b.createOrFold<arith::SubIOp>(index(tiling.tilesM), firstTile));
  Value tileM = add(firstTile, b.createOrFold<arith::RemUIOp>(inGroup, height));
  Value tileN = b.createOrFold<arith::DivUIOp>(inGroup, height);
  place.firstM = mul(tileM, knobs.tileM);
  place.firstN = mul(tileN, knobs.tileN);

  Value lane = rem(place.thread, 32), warp = div(place.thread, 32);
  int64_t warpsN = tiling.threadsN / tiling.lanesN;
  place.threadM =
      add(mul(div(warp, warpsN), tiling.lanesM), div(lane, tiling.lanesN));
  place.threadN =
      add(mul(rem(warp, warpsN), tiling.lanesN), rem(lane, tiling.lanesN));
  return place;
}

SmallVector<Value> Emitter::fragment(Value shared, Value first,
                                     int64_t constant, int64_t vectors,
                                     int64_t width, int64_t apart) {
  SmallVector<Value> elements;
  auto type = VectorType::get({width}, b.getF32Type());
  for (int64_t i = 0; i < vectors; ++i) {
    Value at = add(first, index(constant + i * apart));
    if (width == 1) {
      elements.push_back(memref::LoadOp::create(b, shared, at));
      continue;
    }
    Value vector =
        vector::LoadOp::create(b, type, shared, at, /*nontemporal=*/false,
                               llvm::MaybeAlign(width * 4));
    for (int64_t j = 0; j < width; ++j)
      elements.push_back(vector::ExtractOp::create(b, vector, j));
  }
  return elements;
}

void Emitter::multiply(SmallVectorImpl<Value> &sums, Value offsetA,
                       Value offsetB, const Place &place) {
  Value firstA = add(offsetA, mul(place.threadM, tiling.vectorM));
  Value firstB = add(offsetB, mul(place.threadN, tiling.vectorN));
  auto load = [&](int64_t k) {
    return std::make_pair(
        fragment(sharedA, firstA, k * tiling.a.pitch,
                 knobs.threadM / tiling.vectorM, tiling.vectorM,
                 tiling.threadsM * tiling.vectorM),
        fragment(sharedB, firstB, k * tiling.b.pitch,
                 knobs.threadN / tiling.vectorN, tiling.vectorN,
                 tiling.threadsN * tiling.vectorN));
  };
  auto next = load(0);
  for (int64_t k = 0; k < knobs.tileK; ++k) {
    auto [fragmentA, fragmentB] = next;
    // One k ahead, so that shared memory's latency hides behind products.
    if (k + 1 < knobs.tileK)
      next = load(k + 1);
    for (int64_t m = 0; m < knobs.threadM; ++m)
      for (int64_t n = 0; n < knobs.threadN; ++n) {
        Value &sum = sums[m * knobs.threadN + n];
        sum = math::FmaOp::create(b, fragmentA[m], fragmentB[n], sum);
      }
  }
}

void Emitter::sumChain(Value first, Value last, State &state,
                       const TileCopier &copyA, const TileCopier &copyB,
                       const Place &place) {
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  state.sums.assign(knobs.threadM * knobs.threadN, zero);
  auto loop = scf::ForOp::create(b, first, last, index(1), state.flattened());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  state.assign(loop.getRegionIterArgs());
  Value tile = loop.getInductionVar();
  int64_t sizeA = knobs.tileK * tiling.a.pitch;
  int64_t sizeB = knobs.tileK * tiling.b.pitch;
  if (knobs.stages == 1) {
    multiply(state.sums, index(0), index(0), place);
    gpu::BarrierOp::create(b);
    copyA.store(b, state.nextA, index(0));
    copyB.store(b, state.nextB, index(0));
  } else {
    Value here = b.createOrFold<arith::AndIOp>(tile, index(1));
    Value there = b.createOrFold<arith::XOrIOp>(here, index(1));
    multiply(state.sums, mul(here, sizeA), mul(here, sizeB), place);
    copyA.store(b, state.nextA, mul(there, sizeA));
    copyB.store(b, state.nextB, mul(there, sizeB));
  }
  // The tile after next, so that the products of the next hide its latency.
  // (Reads of the next tile before this one's products do not stay there: ptxas
  // moves them down to their use.)
  readTile(add(tile, index(2)), state, copyA, copyB);
  gpu::BarrierOp::create(b);
  scf::YieldOp::create(b, state.flattened());
  state.assign(loop.getResults());
}

void Emitter::readTile(Value tile, State &state, const TileCopier &copyA,
                       const TileCopier &copyB) {
  // Beyond the last tile that one is read again, and never used: cheaper than a
  // branch.
  Value k = mul(b.createOrFold<arith::MinUIOp>(tile, index(tiling.tilesK - 1)),
                knobs.tileK);
  state.nextA = copyA.load(b, k);
  state.nextB = copyB.load(b, k);
}

SmallVector<Value> Emitter::sumAll(const TileCopier &copyA,
                                   const TileCopier &copyB,
                                   const Place &place) {
  State state;
  Value zeroIndex = index(0);
  readTile(zeroIndex, state, copyA, copyB);
  copyA.store(b, state.nextA, zeroIndex);
  copyB.store(b, state.nextB, zeroIndex);
  readTile(index(1), state, copyA, copyB);
  gpu::BarrierOp::create(b);
  if (tiling.chainTiles == tiling.tilesK) {
    sumChain(zeroIndex, index(tiling.tilesK), state, copyA, copyB, place);
    return state.sums;
  }

  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  state.sums.assign(knobs.threadM * knobs.threadN, zero);
  auto loop = scf::ForOp::create(b, zeroIndex, index(tiling.tilesK),
                                 index(tiling.chainTiles), state.flattened());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  state.assign(loop.getRegionIterArgs());
  SmallVector<Value> before = state.sums;
  Value first = loop.getInductionVar();
  Value last = add(first, index(tiling.chainTiles));
  if (tiling.tilesK % tiling.chainTiles)
    last = b.createOrFold<arith::MinUIOp>(last, index(tiling.tilesK));
  sumChain(first, last, state, copyA, copyB, place);
  for (auto [sum, old] : llvm::zip_equal(state.sums, before))
    sum = arith::AddFOp::create(b, old, sum);
  scf::YieldOp::create(b, state.flattened());
  state.assign(loop.getResults());
  return state.sums;
}

void Emitter::finish(ArrayRef<Value> sums, const Place &place) {
  Lanes lanes;
  lanes.width = shape.vectorWidth(OperandC, shape.n, tiling.vectorN);
  if (lanes.width > 1)
    lanes.loop = shape.n.pieces.back().loops.back();
  bool edgeM = shape.m.size() % knobs.tileM;
  bool edgeN = shape.n.size() % knobs.tileN;
  Value fill = fillValue(shape.nest.inits[0].tensor);
  bool addInit = !fill || !matchPattern(fill, m_AnyZeroFloat());
  auto vectorType = VectorType::get({lanes.width}, b.getF32Type());
  Value baseM = add(place.firstM, mul(place.threadM, tiling.vectorM));
  Value baseN = add(place.firstN, mul(place.threadN, tiling.vectorN));
  for (int64_t m = 0; m < knobs.threadM; ++m) {
    int64_t inM = m / tiling.vectorM * tiling.threadsM * tiling.vectorM +
                  m % tiling.vectorM;
    Value atM = add(baseM, index(inM));
    for (int64_t n = 0; n < knobs.threadN; n += lanes.width) {
      int64_t inN = n / tiling.vectorN * tiling.threadsN * tiling.vectorN +
                    n % tiling.vectorN;
      Value atN = add(baseN, index(inN));
      OpBuilder::InsertionGuard guard(b);
      Value inside;
      auto require = [&](Value at, int64_t size) {
        Value holds = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at,
                                            index(size));
        inside = inside ? arith::AndIOp::create(b, inside, holds) : holds;
      };
      if (edgeM)
        require(atM, shape.m.size());
      if (edgeN)
        require(atN, shape.n.size());
      if (inside) {
        auto guarded = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
        b.setInsertionPointToStart(guarded.thenBlock());
      }
      SmallVector<Value> loops = shape.loopValues(b, place.batch, atM, atN);
      ArrayRef<Value> elements = sums.slice(m * knobs.threadN + n, lanes.width);
      Value result = elements[0];
      if (lanes.width > 1)
        result = vector::FromElementsOp::create(b, vectorType, elements);
      if (addInit) {
        Value init = emitInit(kernel, shape.nest, 0, loops, lanes);
        result = arith::AddFOp::create(b, emitBroadcast(b, init, lanes.width),
                                       result);
      }
      emitResults(kernel, shape.nest, result, loops, lanes);
    }
  }
}

void Emitter::emit() {
  Value a = kernel.flat.lookup(shape.nest.inputs[shape.inputA].tensor);
  Value bb = kernel.flat.lookup(shape.nest.inputs[shape.inputB].tensor);
  int64_t tilesK = knobs.stages * knobs.tileK;
  sharedA = kernel.shared({tilesK * tiling.a.pitch}, b.getF32Type());
  sharedB = kernel.shared({tilesK * tiling.b.pitch}, b.getF32Type());
  Place place = findPlace();
  TileCopier copyA(b, shape, tiling, tiling.a, a, sharedA, place.thread,
                   place.firstM, shape.batch.offset(b, place.batch, OperandA));
  TileCopier copyB(b, shape, tiling, tiling.b, bb, sharedB, place.thread,
                   place.firstN, shape.batch.offset(b, place.batch, OperandB));
  finish(sumAll(copyA, copyB, place), place);
}

void kernelskill::emitContraction(Kernel &kernel, const ContractionShape &shape,
                                  const ContractionTiling &tiling) {
  Emitter(kernel, shape, tiling).emit();
}
