// Floating-point operations and instructions that an op stands for.
#include "OperationCost.h"
#include "KernelTrace.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kernelskill;

static double elementsOf(Operation *op) {
  if (op->getNumResults() == 0)
    return 1;
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  return vector ? vector.getNumElements() : 1;
}

bool kernelskill::isTranscendental(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) &&
         !isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::SqrtOp,
              math::RsqrtOp, math::CeilOp, math::FloorOp, math::RoundOp,
              math::RoundEvenOp, math::TruncOp, math::CopySignOp, math::FPowIOp,
              math::IPowIOp, math::CtPopOp, math::CountLeadingZerosOp,
              math::CountTrailingZerosOp, math::IsNaNOp, math::IsInfOp,
              math::IsFiniteOp, math::IsNormalOp>(op);
}

double kernelskill::flopsOf(Operation *op) {
  if (isa<math::FmaOp, vector::FMAOp>(op))
    return 2 * elementsOf(op);
  bool isFloat =
      op->getNumResults() == 1 &&
      isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  if (!isFloat)
    return 0;
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::NegFOp, arith::RemFOp>(op) ||
      isa<math::MathDialect>(op->getDialect()))
    return elementsOf(op);
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return reduction.getSourceVectorType().getNumElements() - 1;
  return 0;
}

double kernelskill::instructionsOf(Operation *op) {
  double elements = elementsOf(op);
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp,
          arith::TruncIOp, memref::SubViewOp, memref::ReinterpretCastOp,
          memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
          memref::GetGlobalOp, scf::YieldOp, vector::ExtractOp,
          vector::InsertOp, vector::FromElementsOp, vector::BroadcastOp,
          vector::ShapeCastOp>(op))
    return 0;
  if (isa<scf::ForOp, scf::IfOp>(op))
    return 1;
  if (isTranscendental(op))
    return elements *
           (isa<math::ExpOp, math::Exp2Op, math::LogOp, math::Log2Op>(op) ? 8
                                                                          : 25);
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return elements * 8;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::FloorDivSIOp, arith::CeilDivUIOp>(op))
    return matchPattern(op->getOperand(1), m_Constant()) ? 4 : 20;
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    return 5 * split->getNumResults();
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return reduction.getSourceVectorType().getNumElements() - 1;
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
                 isa<vector::FMAOp>(op)
             ? elements
             : 1;
}
