// What a contraction computes, as four linear axes with strides: the form that
// tiles and copies are planned on, whatever the rank and order of the operands.
#ifndef KERNELSKILL_CODEGEN_CONTRACTIONSHAPE_H
#define KERNELSKILL_CODEGEN_CONTRACTIONSHAPE_H

#include "Nest.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <array>

namespace kernelskill {

/// The operands of a contraction. A is the one that has the m loops, which need
/// not be the first: C is to be contiguous along n where it can.
enum ContractionOperand { OperandA = 0, OperandB = 1, OperandC = 2 };

/// Some loops of a nest as one linear index.
struct ContractionAxis {
  /// Loops whose elements lie evenly in every operand: one size, one stride (in
  /// elements, 0 where the operand lacks the loops) for each operand.
  struct Piece {
    int64_t size;
    std::array<int64_t, 3> strides;
    llvm::SmallVector<unsigned> loops; // outermost first
  };
  llvm::SmallVector<Piece> pieces; // outermost first; none: size 1

  int64_t size() const;
  /// Offset in elements of the linear index in an operand.
  mlir::Value offset(mlir::ImplicitLocOpBuilder &b, mlir::Value index,
                     ContractionOperand operand) const;
};

struct ContractionShape {
  Nest nest;
  /// Numbers among the nest's inputs of A and B.
  unsigned inputA, inputB;
  ContractionAxis batch, m, n, k;

  /// The widest vector, in elements and at most `most`, that can be read along
  /// `axis` of an operand at any multiple of its width: a power of 2. It never
  /// leaves the innermost loop.
  int64_t vectorWidth(ContractionOperand operand, const ContractionAxis &axis,
                      int64_t most) const;
  /// Values of the nest's loops from linear indices; null for those of k.
  llvm::SmallVector<mlir::Value> loopValues(mlir::ImplicitLocOpBuilder &b,
                                            mlir::Value batchIndex,
                                            mlir::Value mIndex,
                                            mlir::Value nIndex) const;
};

/// The shape of an f32 contraction, or what does not fit.
llvm::Expected<ContractionShape> matchContraction(Nest nest);

} // namespace kernelskill

#endif // KERNELSKILL_CODEGEN_CONTRACTIONSHAPE_H
