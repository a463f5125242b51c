// Prepared kernels to the LLVM and NVVM dialects.
#include "KernelLowering.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace kernelskill;

void kernelskill::registerLoweringDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect,
                  LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  registerConvertComplexToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  vector::registerConvertVectorToLLVMInterface(registry);
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// Only the LLVM and NVVM dialects have a translation; anything else would be a
/// bare "cannot be converted to LLVM IR" later on.
static LogicalResult checkLowered(gpu::GPUModuleOp kernels) {
  bool failed = false;
  kernels.walk([&](Operation *op) {
    if (op == kernels.getOperation() ||
        isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return;
    if (isa<UnrealizedConversionCastOp>(op) &&
        llvm::any_of(op->getUsers(), [](Operation *user) {
          return !isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(user->getDialect());
        }))
      return; // its user is the culprit
    failed = true;
    op->emitError("'")
        << op->getName().getStringRef()
        << "' is not supported in a kernel: it has no lowering to LLVM";
  });
  return mlir::failure(failed);
}

LogicalResult kernelskill::lowerKernels(ModuleOp module, Backend backend,
                                        unsigned indexBitwidth) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  OpPassManager &passes = pm.nest<gpu::GPUModuleOp>();
  passes.addPass(createConvertVectorToSCFPass());
  passes.addPass(createLowerVectorOpsPass(backend, indexBitwidth));
  passes.addPass(createLowerMathOpsPass());
  passes.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.indexBitwidth = indexBitwidth;
  options.useBarePtrCallConv = true;
  passes.addPass(createConvertGpuOpsToNVVMOps(options));
  if (backend == Backend::Ptx)
    passes.addPass(createConvertNVVMToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(pm.run(module)))
    return failure();
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (failed(checkLowered(kernels)))
      return failure();
    replaceLibdeviceCalls(kernels, backend);
  }
  return success();
}
