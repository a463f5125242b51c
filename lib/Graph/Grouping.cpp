// Roots and their epilogues.
#include "Grouping.h"

#include "Fusion.h"

using namespace mlir;
using namespace kernelskill;

static DispatchKind kindOf(linalg::GenericOp root) {
  if (isContraction(root))
    return DispatchKind::Contraction;
  if (isConvolution(root))
    return DispatchKind::Convolution;
  if (isWindow(root))
    return DispatchKind::Window;
  if (!isPointwise(root))
    return DispatchKind::Reduction;
  return isDataMovement(root) ? DispatchKind::DataMovement
                              : DispatchKind::Pointwise;
}

/// The pointwise operation that alone uses the root's results, element by
/// element; null if there is none.
static linalg::GenericOp epilogueOf(linalg::GenericOp root) {
  linalg::GenericOp epilogue;
  for (OpOperand &use : root->getUses()) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || (epilogue && epilogue != user) || !isPointwise(user) ||
        !user.isDpsInput(&use) ||
        !user.getMatchingIndexingMap(&use).isIdentity())
      return nullptr;
    epilogue = user;
  }
  return epilogue;
}

/// Iterations of all loops: which of two roots gets a common epilogue.
static int64_t iterationsOf(linalg::GenericOp op) {
  return ShapedType::getNumElements(op.getStaticLoopRanges());
}

SmallVector<DispatchGroup> kernelskill::groupDispatches(func::FuncOp function) {
  SmallVector<linalg::GenericOp> generics(
      function.getBody().front().getOps<linalg::GenericOp>());
  // Of several roots that one operation reads, the one with most work keeps it
  // behind it; a contraction before any other.
  llvm::MapVector<Operation *, linalg::GenericOp> rootOfEpilogue;
  auto isHeavier = [](linalg::GenericOp a, linalg::GenericOp b) {
    return std::pair(isContraction(a), iterationsOf(a)) >
           std::pair(isContraction(b), iterationsOf(b));
  };
  for (linalg::GenericOp op : generics) {
    if (isPointwise(op))
      continue;
    if (linalg::GenericOp epilogue = epilogueOf(op)) {
      linalg::GenericOp &root = rootOfEpilogue[epilogue];
      if (!root || isHeavier(op, root))
        root = op;
    }
  }
  llvm::SmallPtrSet<Operation *, 8> rootsWithEpilogue;
  for (auto &[epilogue, root] : rootOfEpilogue)
    rootsWithEpilogue.insert(root);

  // A group runs where its last operation stands: only that one's operands and
  // the root's are read, and all of them are defined before it.
  SmallVector<DispatchGroup> groups;
  for (linalg::GenericOp op : generics) {
    if (rootsWithEpilogue.contains(op))
      continue;
    if (linalg::GenericOp root = rootOfEpilogue.lookup(op))
      groups.push_back({kindOf(root), root, op});
    else
      groups.push_back({kindOf(op), op, nullptr});
  }
  return groups;
}
