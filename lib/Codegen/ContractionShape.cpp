// Reads the axes of a contraction off its nest; see the header.
#include "ContractionShape.h"

#include "Emission.h"
#include "Knobs.h"

using namespace mlir;
using namespace kernelskill;

int64_t ContractionAxis::size() const {
  int64_t size = 1;
  for (const Piece &piece : pieces)
    size *= piece.size;
  return size;
}

Value ContractionAxis::offset(ImplicitLocOpBuilder &b, Value index,
                              ContractionOperand operand) const {
  Value sum = constantIndex(b, 0);
  Value rest = index;
  for (size_t i = pieces.size(); i-- > 0;) {
    const Piece &piece = pieces[i];
    Value here = rest;
    if (i > 0) {
      Value size = constantIndex(b, piece.size);
      here = b.createOrFold<arith::RemUIOp>(rest, size);
      rest = b.createOrFold<arith::DivUIOp>(rest, size);
    }
    Value stride = constantIndex(b, piece.strides[operand]);
    sum = b.createOrFold<arith::AddIOp>(
        sum, b.createOrFold<arith::MulIOp>(here, stride));
  }
  return sum;
}

int64_t ContractionShape::vectorWidth(ContractionOperand operand,
                                      const ContractionAxis &axis,
                                      int64_t most) const {
  if (axis.pieces.empty() || axis.pieces.back().strides[operand] != 1)
    return 1;
  const ContractionAxis::Piece &inner = axis.pieces.back();
  int64_t extent = nest.loops[inner.loops.back()].extent;
  auto fits = [&](int64_t width) {
    if (extent % width)
      return false;
    for (const ContractionAxis *other : {&batch, &m, &n, &k})
      for (const ContractionAxis::Piece &piece : other->pieces)
        if (&piece != &inner && piece.strides[operand] % width)
          return false;
    return true;
  };
  int64_t width = 1;
  while (width * 2 <= most && fits(width * 2))
    width *= 2;
  return width;
}

SmallVector<Value> ContractionShape::loopValues(ImplicitLocOpBuilder &b,
                                                Value batchIndex, Value mIndex,
                                                Value nIndex) const {
  SmallVector<Value> values(nest.loops.size());
  auto spread = [&](const ContractionAxis &axis, Value index) {
    SmallVector<unsigned> loops;
    SmallVector<int64_t> extents;
    for (const ContractionAxis::Piece &piece : axis.pieces)
      for (unsigned loop : piece.loops) {
        loops.push_back(loop);
        extents.push_back(nest.loops[loop].extent);
      }
    for (auto [loop, value] :
         llvm::zip_equal(loops, emitDelinearize(b, index, extents)))
      values[loop] = value;
  };
  spread(batch, batchIndex);
  spread(m, mIndex);
  spread(n, nIndex);
  return values;
}

/// Orders the loops by their stride in `order` and joins neighbours that lie
/// evenly in every operand.
static ContractionAxis
makeAxis(SmallVector<unsigned> loops, ArrayRef<Loop> all,
         const std::array<SmallVector<int64_t>, 3> &strides,
         ContractionOperand order) {
  llvm::sort(loops, [&](unsigned x, unsigned y) {
    return std::make_pair(-strides[order][x], x) <
           std::make_pair(-strides[order][y], y);
  });
  ContractionAxis axis;
  for (unsigned loop : loops) {
    ContractionAxis::Piece piece{
        all[loop].extent,
        {strides[0][loop], strides[1][loop], strides[2][loop]},
        {loop}};
    if (!axis.pieces.empty()) {
      ContractionAxis::Piece &outer = axis.pieces.back();
      bool even = true;
      for (int i = 0; i < 3; ++i)
        even &= outer.strides[i] == piece.strides[i] * piece.size;
      if (even) {
        outer.strides = piece.strides;
        outer.size *= piece.size;
        outer.loops.push_back(loop);
        continue;
      }
    }
    axis.pieces.push_back(piece);
  }
  return axis;
}

llvm::Expected<ContractionShape> kernelskill::matchContraction(Nest nest) {
  if (!linalg::isaContractionOpInterface(nest.root) || nest.inputs.size() != 2)
    return refusal("its root is not a sum of products of two operands");
  for (Value operand : nest.root->getOperands())
    if (Type element = getElementTypeOrSelf(operand); !element.isF32())
      return refusal("expected f32 operands, but found {0}", element);

  // Strides of A, B and C over the nest's loops. C lies as what is stored.
  std::array<SmallVector<int64_t>, 3> strides;
  const Access *accesses[3] = {&nest.inputs[0], &nest.inputs[1],
                               &nest.outputs[0]};
  for (int i = 0; i < 3; ++i) {
    auto linear = accesses[i]->strides(nest.loops.size());
    if (!linear || linear->back() != 0)
      return refusal("an operand's elements are not evenly spaced");
    strides[i] = std::move(*linear);
    strides[i].pop_back();
  }

  // n is the side that C is contiguous along, so that results leave in vectors.
  ContractionShape shape;
  shape.inputA = 0;
  shape.inputB = 1;
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop)
    if (strides[OperandC][loop] == 1 && !strides[OperandB][loop]) {
      std::swap(shape.inputA, shape.inputB);
      std::swap(strides[OperandA], strides[OperandB]);
      break;
    }

  SmallVector<unsigned> batch, m, n, k;
  for (unsigned loop = 0; loop < nest.loops.size(); ++loop) {
    if (nest.loops[loop].extent == 0)
      return refusal("an operand is empty");
    bool a = strides[OperandA][loop], b = strides[OperandB][loop],
         c = strides[OperandC][loop];
    if (a && b && nest.loops[loop].reduction)
      k.push_back(loop);
    else if (a && b && c)
      batch.push_back(loop);
    else if (a && c)
      m.push_back(loop);
    else if (b && c)
      n.push_back(loop);
    else
      return refusal("its loop {0} is neither a batch, a row, a column nor a "
                     "sum of products",
                     loop);
  }
  shape.batch = makeAxis(batch, nest.loops, strides, OperandC);
  shape.m = makeAxis(m, nest.loops, strides, OperandC);
  shape.n = makeAxis(n, nest.loops, strides, OperandC);
  shape.k = makeAxis(k, nest.loops, strides, OperandA);
  shape.nest = std::move(nest);
  return shape;
}
