// Elementwise kernels.
//
// The nest's elements are numbered row-major over its loops. A block handles a
// tile of blockSize * itemsPerThread * vectorWidth of them; item i of a thread
// is the vector at tile + (i * blockSize + thread) * vectorWidth, so that
// neighbouring threads touch neighbouring vectors. All loads of a thread come
// before its first store. The last tile, where it is not full, is done element
// by element.
#include "PointwiseEmitter.h"

#include "Emission.h"
#include "Epilogue.h"
#include "Knobs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelskill;

llvm::Error kernelskill::checkPointwise(const Nest &nest,
                                        const PointwiseKnobs &knobs) {
  if (nest.extentOf(/*reduction=*/true) != 1)
    return refusal("the dispatch has reduction loops");
  if (!llvm::isPowerOf2_64(knobs.vectorWidth) || knobs.vectorWidth > 16)
    return refusal("knob 'vector_width' must be 1, 2, 4, 8 or 16, but is {0}",
                   knobs.vectorWidth);
  if (knobs.blockSize % 32 != 0 || knobs.blockSize > 1024)
    return refusal("knob 'block_size' must be a multiple of 32 up to 1024, but "
                   "is {0}",
                   knobs.blockSize);
  if (knobs.itemsPerThread > 64)
    return refusal("knob 'items_per_thread' must be at most 64, but is {0}",
                   knobs.itemsPerThread);
  if (nest.loops.size() > 1 &&
      nest.loops.back().extent % knobs.vectorWidth != 0)
    return refusal("the innermost extent {0} is no multiple of the "
                   "vector width {1}",
                   nest.loops.back().extent, knobs.vectorWidth);
  int64_t elements = nest.extentOf(/*reduction=*/false);
  if (elements / knobs.blockSize / knobs.itemsPerThread / knobs.vectorWidth >=
      std::numeric_limits<int32_t>::max())
    return refusal("{0} elements need more blocks than a grid has", elements);
  return llvm::Error::success();
}

namespace {
/// One item: where it lies, and what has been loaded for it.
struct Item {
  SmallVector<Value> loops;
  SmallVector<Value> arguments;
};
} // namespace

static Item loadItem(Kernel &kernel, const Nest &nest, Value flat,
                     Lanes lanes) {
  Item item;
  SmallVector<int64_t> extents = llvm::map_to_vector(
      nest.loops, [](const Loop &loop) { return loop.extent; });
  item.loops = emitDelinearize(kernel.b, flat, extents);
  linalg::LinalgOp root = nest.root;
  for (auto [access, argument] :
       llvm::zip(nest.inputs, root.getRegionInputArgs()))
    item.arguments.push_back(argument.use_empty()
                                 ? Value()
                                 : emitLoad(kernel.b, access,
                                            kernel.flat.at(access.tensor),
                                            item.loops, lanes));
  for (auto [i, argument] : llvm::enumerate(root.getRegionOutputArgs()))
    item.arguments.push_back(
        argument.use_empty() || isUndefined(nest.inits[i].tensor)
            ? Value()
            : emitInit(kernel, nest, i, item.loops, lanes));
  return item;
}

static void emitItems(Kernel &kernel, const Nest &nest, ValueRange positions,
                      Lanes lanes) {
  SmallVector<Item> items;
  for (Value position : positions)
    items.push_back(loadItem(kernel, nest, position, lanes));
  linalg::LinalgOp root = nest.root;
  SmallVector<SmallVector<Value>> results;
  for (Item &item : items)
    results.push_back(
        cloneBody(kernel, root, root.getBlock()->getTerminator()->getOperands(),
                  item.arguments, nest.rootDims, item.loops, lanes));
  for (auto [item, values] : llvm::zip(items, results))
    emitResults(kernel, nest, values, item.loops, lanes);
}

void kernelskill::emitPointwise(KernelBuilder &builder, const Nest &nest,
                                const PointwiseKnobs &knobs) {
  int64_t elements = nest.extentOf(/*reduction=*/false);
  int64_t vectors = knobs.blockSize * knobs.itemsPerThread;
  int64_t tile = vectors * knobs.vectorWidth;
  Kernel kernel =
      builder.begin(nest.reads(), nest.writes(),
                    llvm::divideCeil(elements, tile), knobs.blockSize);
  ImplicitLocOpBuilder &b = kernel.b;
  auto add = [&](Value left, Value right) {
    return b.createOrFold<arith::AddIOp>(left, right,
                                         arith::IntegerOverflowFlags::nsw);
  };
  auto scale = [&](Value value, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(value, constantIndex(b, factor),
                                         arith::IntegerOverflowFlags::nsw);
  };
  unsigned innermost = std::max<int64_t>(nest.loops.size(), 1) - 1;
  Lanes lanes{nest.loops.empty() ? 1 : knobs.vectorWidth, innermost};
  Value tileStart = scale(kernel.blockId, tile);

  auto emitTile = [&] {
    SmallVector<Value> positions;
    Value first = add(tileStart, scale(kernel.threadId, lanes.width));
    for (int64_t i = 0; i < knobs.itemsPerThread; ++i)
      positions.push_back(add(
          first, constantIndex(b, i * knobs.blockSize * knobs.vectorWidth)));
    emitItems(kernel, nest, positions, lanes);
  };
  Value end = constantIndex(b, elements);
  auto emitTail = [&] {
    Value first = add(tileStart, kernel.threadId);
    auto loop =
        scf::ForOp::create(b, first, end, constantIndex(b, knobs.blockSize));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emitItems(kernel, nest, loop.getInductionVar(), Lanes{1, innermost});
  };

  if (elements % tile == 0) {
    emitTile();
  } else if (vectors == knobs.blockSize && lanes.width == 1) {
    Value position = add(tileStart, kernel.threadId);
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, end);
    auto guarded = scf::IfOp::create(b, inside);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(guarded.thenBlock());
    emitItems(kernel, nest, position, lanes);
  } else if (elements < tile) {
    emitTail();
  } else {
    Value full =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, kernel.blockId,
                              constantIndex(b, elements / tile));
    auto choice = scf::IfOp::create(b, full, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    emitTile();
    b.setInsertionPointToStart(choice.elseBlock());
    emitTail();
  }
  builder.end(kernel);
}
