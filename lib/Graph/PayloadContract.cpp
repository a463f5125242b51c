// Checks of the payload's contract.
#include "PayloadContract.h"

#include "KernelSkill/Analysis/InPlaceRead.h"
#include "KernelSkill/IR/KernelSkillOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static SmallVector<func::FuncOp> publicFunctions(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<func::FuncOp>(),
                                [](func::FuncOp f) { return f.isPublic(); });
}

bool kernelskill::isKernelModule(ModuleOp module) {
  return !module.getOps<gpu::GPUModuleOp>().empty() &&
         llvm::none_of(publicFunctions(module), [](func::FuncOp function) {
           return llvm::any_of(function.getArgumentTypes(),
                               llvm::IsaPred<TensorType>);
         });
}

FailureOr<func::FuncOp> kernelskill::publicFunctionOf(ModuleOp module) {
  SmallVector<func::FuncOp> functions = publicFunctions(module);
  if (functions.size() == 1)
    return functions.front();
  InFlightDiagnostic error = module.emitError()
                             << "a payload has exactly one public function, "
                                "but this module has "
                             << functions.size();
  if (functions.empty())
    error.attachNote() << "make the function to compile public, or pass a "
                          "module with a gpu.module of kernels";
  for (func::FuncOp function : functions)
    error.attachNote(function.getLoc())
        << "'" << function.getName() << "' is public";
  return error;
}

static bool isKnownElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// What is wrong with a tensor type, or nothing.
static StringRef defectOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "is no ranked tensor";
  if (!tensor.hasStaticShape())
    return "has a dynamic shape: give every extent a number";
  int64_t elements = 1;
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(elements, extent, elements) ||
        elements > (int64_t(1) << 48))
      return "has more elements than any memory: check its extents";
  if (elements == 0)
    return "has no elements: remove what computes it";
  if (tensor.getEncoding())
    return "has an encoding, which payloads can't have";
  if (!isKnownElement(tensor.getElementType()))
    return "has an element type that kernels don't know (they know i1, i8, "
           "i16, i32, i64, f16, bf16, f32, f64)";
  return "";
}

LogicalResult kernelskill::checkTypes(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  for (auto [index, input] : llvm::enumerate(type.getInputs()))
    if (StringRef defect = defectOf(input); !defect.empty())
      return function.emitError()
             << "argument " << index << " of type " << input << " " << defect;
  for (auto [index, result] : llvm::enumerate(type.getResults()))
    if (StringRef defect = defectOf(result); !defect.empty())
      return function.emitError()
             << "result " << index << " of type " << result << " " << defect;
  if (type.getNumResults() == 0)
    return function.emitError("a payload returns at least one tensor");
  if (!function.getBody().hasOneBlock())
    return function.emitError("a payload has no control flow: its function "
                              "must be a single block");
  for (Operation &op : function.getBody().front())
    for (Type result : op.getResultTypes())
      if (isa<TensorType>(result))
        if (StringRef defect = defectOf(result); !defect.empty())
          return op.emitError() << "result of type " << result << " " << defect;
  return success();
}

static LogicalResult unsupported(Operation *op) {
  InFlightDiagnostic error = op->emitError()
                             << "operation '" << op->getName()
                             << "' is not supported in a payload yet";
  error.attachNote() << "supported are elementwise operations, reductions, "
                        "contractions, convolutions, scans, and operations "
                        "that move data, all of static shape";
  return error;
}

/// A sum of multiples of loops.
static bool isLinear(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  return !binary || ((expr.getKind() == AffineExprKind::Add ||
                      expr.getKind() == AffineExprKind::Mul) &&
                     isLinear(binary.getLHS()) && isLinear(binary.getRHS()));
}

static LogicalResult checkGeneric(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics())
    return op.emitError("a payload works on tensors, but an operand is not "
                        "one");
  for (AffineMap map : op.getIndexingMapsArray())
    if (!llvm::all_of(map.getResults(), isLinear))
      return op.emitError() << "indexing map " << AffineMapAttr::get(map)
                            << " is not linear: of loops only sums of "
                               "multiples are supported";
  WalkResult walked = op.getRegion().walk([&](Operation *inner) {
    if (isa<linalg::YieldOp, linalg::IndexOp, tensor::ExtractOp>(inner) ||
        isa<arith::ArithDialect, math::MathDialect>(inner->getDialect()))
      return WalkResult::advance();
    return WalkResult(unsupported(inner));
  });
  return failure(walked.wasInterrupted());
}

LogicalResult kernelskill::checkBody(func::FuncOp function) {
  if (failed(checkTypes(function)))
    return failure();
  for (Operation &op : function.getBody().front()) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (failed(checkGeneric(generic)))
        return failure();
      continue;
    }
    if (auto fill = dyn_cast<linalg::FillOp>(op);
        fill && !matchPattern(fill.value(), m_Constant()))
      return fill.emitError("a fill's value must be a constant");
    if (isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ExtractSliceOp>(op) &&
        matchInPlaceRead(op.getResult(0)))
      continue;
    if (!isa<func::ReturnOp, arith::ConstantOp, tensor::EmptyOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::FillOp,
             ScanOp>(op))
      return unsupported(&op);
  }
  return success();
}
