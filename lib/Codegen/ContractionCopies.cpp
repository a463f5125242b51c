// Writes the copies of a contraction's tiles; see the header.
#include "ContractionCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace kernelskill;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
static Value add(ImplicitLocOpBuilder &b, Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
static Value scaled(ImplicitLocOpBuilder &b, Value x, int64_t factor) {
  return b.createOrFold<arith::MulIOp>(x, constant(b, factor));
}

/// `first + thread` divided by `divisor`, where first is a multiple of
/// `threads` > thread: in most tilings one of the two can be divided alone,
/// which leaves addresses that differ by constants.
static std::pair<Value, Value> divide(ImplicitLocOpBuilder &b, int64_t first,
                                      Value thread, int64_t threads,
                                      int64_t divisor) {
  Value by = constant(b, divisor);
  if (first % divisor == 0)
    return {add(b, b.createOrFold<arith::DivUIOp>(thread, by),
                constant(b, first / divisor)),
            b.createOrFold<arith::RemUIOp>(thread, by)};
  if (first % divisor + threads <= divisor)
    return {constant(b, first / divisor),
            add(b, thread, constant(b, first % divisor))};
  Value sum = add(b, thread, constant(b, first));
  return {b.createOrFold<arith::DivUIOp>(sum, by),
          b.createOrFold<arith::RemUIOp>(sum, by)};
}

TileCopier::TileCopier(ImplicitLocOpBuilder &b, const ContractionShape &shape,
                       const ContractionTiling &tiling, const TileCopy &copy,
                       Value source, Value shared, Value thread, Value firstRow,
                       Value batchOffset)
    : shape(shape), tiling(tiling), copy(copy), source(source), shared(shared) {
  const ContractionAxis &rows = copy.operand == OperandA ? shape.m : shape.n;
  int64_t tileK = tiling.knobs.tileK, threads = tiling.threads;
  int64_t vectors = tileK * copy.rows / copy.width;
  // Along k, two lanes read 8 k (32 bytes, a sector) of one row, and 16 rows of
  // a warp land in 16 different banks twice. Other widths: the same 8 k.
  int64_t lanesK = copy.alongK ? std::min<int64_t>(8, tileK) / copy.width : 1;
  for (int64_t pass = 0; pass < copy.passes; ++pass) {
    Part part;
    int64_t first = pass * threads;
    Value row, k;
    if (copy.alongK) {
      int64_t slabVectors = copy.rows * lanesK;
      Value slab, inSlab, lane;
      if (first % slabVectors + threads <= slabVectors) {
        slab = constant(b, first / slabVectors);
        std::tie(row, lane) =
            divide(b, first % slabVectors, thread, threads, lanesK);
      } else {
        std::tie(slab, inSlab) = divide(b, first, thread, threads, slabVectors);
        row = b.createOrFold<arith::DivUIOp>(inSlab, constant(b, lanesK));
        lane = b.createOrFold<arith::RemUIOp>(inSlab, constant(b, lanesK));
      }
      k = add(b, scaled(b, slab, lanesK * copy.width),
              scaled(b, lane, copy.width));
    } else {
      std::tie(k, row) =
          divide(b, first, thread, threads, copy.rows / copy.width);
      row = scaled(b, row, copy.width);
    }
    if (copy.uneven && pass + 1 == copy.passes) {
      part.exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                          constant(b, vectors - first));
      // The threads without a vector read an existing one.
      Value zero = constant(b, 0);
      k = arith::SelectOp::create(b, part.exists, k, zero);
      row = arith::SelectOp::create(b, part.exists, row, zero);
    }
    part.k = k;
    part.shared = add(b, scaled(b, k, copy.pitch), row);
    Value inOperand = add(b, firstRow, row);
    if (rows.size() % copy.rows)
      inOperand = b.createOrFold<arith::MinUIOp>(
          inOperand, constant(b, rows.size() - (copy.alongK ? 1 : copy.width)));
    part.source = add(b, batchOffset, rows.offset(b, inOperand, copy.operand));
    parts.push_back(part);
  }
}

SmallVector<Value> TileCopier::load(ImplicitLocOpBuilder &b,
                                    Value firstK) const {
  Type f32 = b.getF32Type();
  Type type = copy.width == 1 ? f32 : VectorType::get({copy.width}, f32);
  auto read = [&](OpBuilder &inner, Value offset) -> Value {
    ImplicitLocOpBuilder b2(b.getLoc(), inner);
    if (copy.width == 1)
      return memref::LoadOp::create(b2, source, offset);
    return vector::LoadOp::create(b2, cast<VectorType>(type), source, offset,
                                  /*nontemporal=*/false,
                                  llvm::MaybeAlign(copy.width * 4));
  };
  SmallVector<Value> values;
  for (const Part &part : parts) {
    Value k = add(b, firstK, part.k);
    // Split so that what does not change with k can be hoisted.
    Value offset =
        shape.k.pieces.size() <= 1
            ? add(b,
                  add(b, part.source, shape.k.offset(b, part.k, copy.operand)),
                  shape.k.offset(b, firstK, copy.operand))
            : add(b, part.source, shape.k.offset(b, k, copy.operand));
    if (shape.k.size() % tiling.knobs.tileK == 0) {
      values.push_back(read(b, offset));
      continue;
    }
    Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, k,
                                         constant(b, shape.k.size()));
    auto guarded = scf::IfOp::create(
        b, exists,
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, read(inner, offset));
        },
        [&](OpBuilder &inner, Location loc) {
          Value zero = arith::ConstantOp::create(inner, loc, type,
                                                 inner.getZeroAttr(type));
          scf::YieldOp::create(inner, loc, zero);
        });
    values.push_back(guarded.getResult(0));
  }
  return values;
}

void TileCopier::store(ImplicitLocOpBuilder &b, ArrayRef<Value> values,
                       Value offset) const {
  for (auto [part, value] : llvm::zip_equal(parts, values)) {
    auto write = [&, part = part, value = value](ImplicitLocOpBuilder &b) {
      Value at = add(b, offset, part.shared);
      if (copy.width == 1) {
        memref::StoreOp::create(b, value, shared, at);
        return;
      }
      if (!copy.alongK) {
        vector::StoreOp::create(b, value, shared, at, /*nontemporal=*/false,
                                llvm::MaybeAlign(copy.width * 4));
        return;
      }
      for (int64_t i = 0; i < copy.width; ++i)
        memref::StoreOp::create(b, vector::ExtractOp::create(b, value, i),
                                shared,
                                add(b, at, constant(b, i * copy.pitch)));
    };
    if (!part.exists) {
      write(b);
      continue;
    }
    scf::IfOp::create(b, part.exists, [&](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder b2(loc, inner);
      write(b2);
      scf::YieldOp::create(inner, loc);
    });
  }
}
