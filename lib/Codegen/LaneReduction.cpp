// Reductions over the lanes of a warp by shuffles and over a block through
// shared memory.
#include "LaneReduction.h"

#include "Emission.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kernelskill;

static constexpr int64_t kWarp = 32;

/// Shuffles exist for 32 bits; other widths are cut or extended.
Value kernelskill::emitShuffleXor(ImplicitLocOpBuilder &b, Value value,
                                  int64_t offset) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type i32 = b.getI32Type();
  auto shuffle = [&](Value word) {
    return gpu::ShuffleOp::create(b, word, offset, kWarp, gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (bits == 32)
    return shuffle(value);
  if (type.isFloat()) {
    Type integer = b.getIntegerType(bits);
    Value shuffled =
        emitShuffleXor(b, arith::BitcastOp::create(b, integer, value), offset);
    return arith::BitcastOp::create(b, type, shuffled);
  }
  if (bits < 32)
    return arith::TruncIOp::create(
        b, type, shuffle(arith::ExtUIOp::create(b, i32, value)));
  Value half = arith::ConstantOp::create(b, b.getI64IntegerAttr(32));
  Value low = arith::TruncIOp::create(b, i32, value);
  Value high =
      arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, value, half));
  low = arith::ExtUIOp::create(b, type, shuffle(low));
  high = arith::ExtUIOp::create(b, type, shuffle(high));
  return arith::OrIOp::create(b, low, arith::ShLIOp::create(b, high, half));
}

/// Elements of a value, which is a scalar or a vector.
static int64_t widthOf(Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? vector.getDimSize(0) : 1;
}

static Value loadShared(ImplicitLocOpBuilder &b, Value array, Value slot,
                        Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getElementTypeBitWidth() >= 8)
      return vector::LoadOp::create(b, vector, array, slot);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector.getDimSize(0); ++i)
      elements.push_back(memref::LoadOp::create(
          b, array, b.createOrFold<arith::AddIOp>(slot, constantIndex(b, i))));
    return vector::FromElementsOp::create(b, vector, elements);
  }
  return memref::LoadOp::create(b, array, slot);
}

static void storeShared(ImplicitLocOpBuilder &b, Value array, Value slot,
                        Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (vector && vector.getElementTypeBitWidth() >= 8) {
    vector::StoreOp::create(b, value, array, slot);
    return;
  }
  for (int64_t i = 0; i < widthOf(value); ++i)
    memref::StoreOp::create(
        b, emitLane(b, value, i), array,
        b.createOrFold<arith::AddIOp>(slot, constantIndex(b, i)));
}

void kernelskill::emitLaneReduction(
    Kernel &kernel, const LaneGroups &threads, Value active,
    ArrayRef<Combiner> combiners, ArrayRef<Value> values,
    llvm::function_ref<void(ArrayRef<Value>)> finish) {
  ImplicitLocOpBuilder &b = kernel.b;
  SmallVector<Value> sums(values);
  if (threads.neighbours)
    for (int64_t offset = std::min(threads.lanes, kWarp) / 2; offset > 0;
         offset /= 2)
      for (auto [sum, combiner] : llvm::zip(sums, combiners))
        sum = combiner.combine(b, sum, emitShuffleXor(b, sum, offset));

  // What is left for each group: one partial sum a warp, or one a lane.
  int64_t parts = threads.neighbours
                      ? std::max<int64_t>(threads.lanes / kWarp, 1)
                      : threads.lanes;
  auto slot = [&](Value part, Value group, int64_t width) {
    Value row = threads.neighbours ? group : part;
    Value column = threads.neighbours ? part : group;
    int64_t columns = threads.neighbours ? parts : threads.groups;
    Value index = b.createOrFold<arith::AddIOp>(
        b.createOrFold<arith::MulIOp>(row, constantIndex(b, columns)), column);
    return b.createOrFold<arith::MulIOp>(index, constantIndex(b, width));
  };
  SmallVector<Value> arrays;
  if (parts > 1) {
    for (Value sum : sums)
      arrays.push_back(kernel.shared({parts * threads.groups * widthOf(sum)},
                                     getElementTypeOrSelf(sum.getType())));
    auto store = [&](Value part) {
      for (auto [array, sum] : llvm::zip(arrays, sums))
        storeShared(b, array, slot(part, threads.group, widthOf(sum)), sum);
    };
    if (threads.neighbours) {
      Value warp = constantIndex(b, kWarp);
      Value first = arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq,
          arith::RemUIOp::create(b, threads.lane, warp), constantIndex(b, 0));
      Value part = arith::DivUIOp::create(b, threads.lane, warp);
      auto guarded = scf::IfOp::create(b, first);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(guarded.thenBlock());
      store(part);
    } else {
      store(threads.lane);
    }
    gpu::BarrierOp::create(b);
  }

  Value writes = active;
  if (threads.lanes > 1) {
    Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        threads.lane, constantIndex(b, 0));
    writes = active ? arith::AndIOp::create(b, active, first) : first;
  }
  OpBuilder::InsertionGuard guard(b);
  if (writes) {
    auto guarded = scf::IfOp::create(b, writes);
    b.setInsertionPointToStart(guarded.thenBlock());
  }
  if (parts > 1)
    for (auto [sum, array, combiner] : llvm::zip(sums, arrays, combiners)) {
      SmallVector<Value> partial;
      for (int64_t i = 0; i < parts; ++i)
        partial.push_back(loadShared(
            b, array, slot(constantIndex(b, i), threads.group, widthOf(sum)),
            sum.getType()));
      sum = combiner.combineTree(b, partial);
    }
  finish(sums);
}
