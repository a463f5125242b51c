// What becomes of the calls of libdevice that upstream's lowering of math
// operations makes. On GPUs, those with an exact instruction become it
// (libdevice's sqrt is an approximation unless a flag of nvcc's says
// otherwise); on the CPU, all become instructions or calls of the C library.
#include "KernelLowering.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace kernelskill;

template <typename Op>
static Value build(OpBuilder &builder, LLVM::CallOp call) {
  auto op = Op::create(builder, call.getLoc(), call.getResult().getType(),
                       call.getArgOperands());
  op.setFastmathFlags(call.getFastmathFlags());
  return op;
}

/// Builds an instruction in place of a call.
using Instruction = Value (*)(OpBuilder &, LLVM::CallOp);

/// 1 / sqrt(x), both correctly rounded.
static Value buildRsqrt(OpBuilder &builder, LLVM::CallOp call) {
  Type type = call.getResult().getType();
  Value root = build<LLVM::SqrtOp>(builder, call);
  Value one = LLVM::ConstantOp::create(builder, call.getLoc(), type,
                                       builder.getFloatAttr(type, 1.0));
  return LLVM::FDivOp::create(builder, call.getLoc(), one, root);
}

static Value buildAbs(OpBuilder &builder, LLVM::CallOp call) {
  return LLVM::AbsOp::create(builder, call.getLoc(), call.getResult().getType(),
                             call.getArgOperands()[0],
                             /*is_int_min_poison=*/false);
}

/// The name of a libdevice function without its prefix and its f for f32.
static StringRef baseName(LLVM::CallOp call) {
  StringRef name = call.getCallee().value_or("");
  if (!name.consume_front("__nv_"))
    return "";
  if (call.getNumResults() == 1 && call.getResult().getType().isF32() &&
      call.getNumOperands() > 0)
    name.consume_back("f");
  return name;
}

static Instruction instructionFor(StringRef base, Backend backend) {
  Instruction exact = llvm::StringSwitch<Instruction>(base)
                          .Case("sqrt", build<LLVM::SqrtOp>)
                          .Case("fma", build<LLVM::FMAOp>)
                          .Case("fabs", build<LLVM::FAbsOp>)
                          .Case("copysign", build<LLVM::CopySignOp>)
                          .Case("floor", build<LLVM::FFloorOp>)
                          .Case("ceil", build<LLVM::FCeilOp>)
                          .Case("trunc", build<LLVM::FTruncOp>)
                          .Case("rint", build<LLVM::RoundEvenOp>)
                          .Default(nullptr);
  if (exact || backend == Backend::Ptx)
    return exact;
  return llvm::StringSwitch<Instruction>(base)
      .Case("rsqrt", buildRsqrt)
      .Cases({"abs", "llabs"}, buildAbs)
      .Case("powi", build<LLVM::PowIOp>)
      .Default(nullptr);
}

bool kernelskill::isCpuMathFunction(StringRef name) {
  static const llvm::StringSet<> known = {
      "acos",      "acosh", "asin",  "asinh",     "atan",   "atan2",
      "atanh",     "cbrt",  "cos",   "cosh",      "erf",    "erfc",
      "exp",       "exp10", "exp2",  "expm1",     "fdim",   "fmax",
      "fmin",      "fmod",  "hypot", "ldexp",     "lgamma", "log",
      "log10",     "log1p", "log2",  "nearbyint", "pow",    "round",
      "remainder", "sin",   "sinh",  "tan",       "tanh",   "tgamma"};
  return known.contains(name) ||
         (name.consume_back("f") && known.contains(name));
}

/// The C library's name of a libdevice function, or an empty string.
static StringRef libraryName(StringRef callee) {
  if (!callee.consume_front("__nv_"))
    return "";
  callee.consume_front("fast_");
  return isCpuMathFunction(callee) ? callee : "";
}

void kernelskill::replaceLibdeviceCalls(gpu::GPUModuleOp kernels,
                                        Backend backend) {
  SymbolTable symbols(kernels);
  kernels.walk([&](LLVM::CallOp call) {
    StringRef base = baseName(call);
    if (base.empty())
      return;
    OpBuilder builder(call);
    if (Instruction make = instructionFor(base, backend)) {
      call.getResult().replaceAllUsesWith(make(builder, call));
      call.erase();
      return;
    }
    StringRef name = libraryName(*call.getCallee());
    if (backend == Backend::Ptx || name.empty())
      return;
    if (!symbols.lookup(name)) {
      auto declared = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
      auto function = cast<LLVM::LLVMFuncOp>(declared->clone());
      function.setSymName(name);
      function.setNoUnwind(true);
      symbols.insert(function);
    }
    call.setCallee(name);
  });
}
