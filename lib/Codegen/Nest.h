// What a dispatch function computes, in the form that emitters work on: a root
// and its epilogue over one set of loops, every operand a linear form in them.
//
// A nest is read off the function without changing it, so a strategy can look
// at it and refuse. Operands are flat: the element that an operand contributes
// at loop values (l0, l1, …) is at `offset(l0, l1, …)` of its row-major data.
// Loops of extent 1 are gone, and neighbours that all operands walk alike are
// collapsed (so an elementwise op on equal shapes has one loop).
#ifndef KERNELSKILL_CODEGEN_NEST_H
#define KERNELSKILL_CODEGEN_NEST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

namespace kernelskill {

/// One operand: a tensor of the dispatch function and where its elements lie.
struct Access {
  /// 0 <= expr < size, over the nest's loops as dims.
  struct Bound {
    mlir::AffineExpr expr;
    int64_t size;
  };
  mlir::Value tensor;
  /// In elements, over the nest's loops as dims.
  mlir::AffineExpr offset;
  /// Where one does not hold, the element is `padding` and no memory is read
  /// (a padded tensor, or one with zeros between its elements).
  llvm::SmallVector<Bound> bounds{};
  mlir::TypedAttr padding{};

  mlir::Type elementType() const;
  bool isFunctionOfLoop(unsigned loop) const;
  /// Coefficients of the loops, then the constant; nothing if the offset is not
  /// linear (a mod or a division), or if there are bounds.
  std::optional<llvm::SmallVector<int64_t>> strides(unsigned loops) const;
};

struct Loop {
  int64_t extent;
  bool reduction;
};

/// One kernel-to-be.
struct Nest {
  mlir::linalg::LinalgOp root;
  /// An elementwise op on the root's results, or null.
  mlir::linalg::LinalgOp epilogue;
  llvm::SmallVector<Loop> loops;
  /// The root's own loops as expressions of `loops` (for linalg.index).
  llvm::SmallVector<mlir::AffineExpr> rootDims;
  /// The epilogue's loops as expressions of `loops`.
  llvm::SmallVector<mlir::AffineExpr> epilogueDims;
  /// One for each input of the root.
  llvm::SmallVector<Access> inputs;
  /// One for each init (outs operand) of the root; see initValue.
  llvm::SmallVector<Access> inits;
  /// One for each input of the epilogue; those that are results of the root are
  /// in registers and not loaded: rootResultOf says which.
  llvm::SmallVector<Access> epilogueInputs;
  /// Tensors that the regions of root and epilogue extract single elements of.
  llvm::SmallVector<mlir::Value> rootExtracts, epilogueExtracts;
  /// What is stored: the results of the epilogue, or of the root without one.
  llvm::SmallVector<Access> outputs;

  /// Number of the root's result that input `i` of the epilogue is, if any.
  std::optional<unsigned> rootResultOf(unsigned i) const;
  /// Number of loop iterations of one kind.
  int64_t extentOf(bool reduction) const;
  /// Tensors that are loaded (each once): by the root's inputs, by inits and
  /// the epilogue, by both; and those that are stored.
  llvm::SmallVector<mlir::Value> inputReads() const;
  llvm::SmallVector<mlir::Value> finishReads() const;
  llvm::SmallVector<mlir::Value> reads() const;
  llvm::SmallVector<mlir::Value> writes() const;
};

/// The scalar that fills an init, if a linalg.fill made it. An init without one
/// that is no tensor.empty is read from memory.
mlir::Value fillValue(mlir::Value init);
/// Is the init undefined (tensor.empty)?
bool isUndefined(mlir::Value init);

/// The nests of a dispatch function, in order. Each structured op is a root, or
/// the epilogue of the one before it. An error says what is not understood.
llvm::Expected<std::vector<Nest>> readNests(mlir::func::FuncOp dispatch);
/// The same where exactly one nest is wanted.
llvm::Expected<Nest> readNest(mlir::func::FuncOp dispatch);

/// Puts the loops into the order given by their old numbers.
void permuteLoops(Nest &nest, llvm::ArrayRef<unsigned> order);
/// Parallel loops first, then reduction loops, otherwise in their order except
/// that `last` becomes the last of its kind.
void sortLoops(Nest &nest, std::optional<unsigned> last);
/// Drops loops of extent 1 and collapses neighbours of one kind that all
/// operands walk alike.
void collapseLoops(Nest &nest);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_NEST_H
