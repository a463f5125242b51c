// Builds the programs that judge a payload's candidates. See the header.
#include "KernelSkill/Verify/Oracle.h"

#include "KernelSkill/Graph/Passes.h"
#include "KernelSkill/Lowering/ShareTemporaries.h"
#include "KernelSkill/Verify/Numerics.h"
#include "KernelSkill/Verify/Passes.h"

#include <cmath>

using namespace mlir;
using namespace kernelskill;

namespace kernelskill {
extern const char kVerifySupportSource[];
} // namespace kernelskill

// Below this many results a long sum keeps too few threads of a GPU busy.
static constexpr int64_t kFewResults = int64_t(1) << 20;

static OwningOpRef<ModuleOp> cloneOf(ModuleOp module) {
  return OwningOpRef<ModuleOp>(module.clone());
}

static LogicalResult runPasses(ModuleOp module,
                               llvm::function_ref<void(OpPassManager &)> add) {
  PassManager manager(module.getContext());
  add(manager);
  return manager.run(module);
}

// A payload of gpu.funcs: there is no public function on tensors.
static bool isKernelPayload(ModuleOp module) {
  return llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp f) {
    return f.isPublic() && !f.isExternal();
  });
}

static unsigned roundoffBits(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() ? 11 : element.isBF16() ? 8 : 24;
}

// The roundoff that the results are measured in, the finest of theirs, or of
// integers the coarsest that the payload computes in; and how near two values
// must be to change places: 256 roundoffs of f32, 16 of a coarser type that the
// payload computes in, twice what the class's products may lose.
static ErrorScaleOptions scalingOf(ModuleOp payload,
                                   const NumericsClass &numerics) {
  ErrorScaleOptions options;
  options.roundoffBits = 0;
  payload.walk([&](func::FuncOp function) {
    for (Type type : function.getResultTypes())
      if (isa<FloatType>(getElementTypeOrSelf(type)))
        options.roundoffBits =
            std::max<unsigned>(options.roundoffBits, roundoffBits(type));
  });
  unsigned coarsest = 24;
  payload.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      coarsest = std::min(coarsest, roundoffBits(type));
  });
  if (!options.roundoffBits) // no float is measured
    options.roundoffBits = coarsest;
  double margin = std::max(0x1p-16, 2 * numerics.productLoss * 0x1p-24);
  if (coarsest < 24)
    margin = std::max(margin, std::ldexp(16, -int(coarsest)));
  options.swapBits = static_cast<unsigned>(-std::log2(margin));
  return options;
}

FailureOr<Program> kernelskill::buildSupport(MLIRContext &context,
                                             const LoweringOptions &options) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      kVerifySupportSource, &context, "Support.mlir");
  if (!module)
    return failure();
  // Its loops are over elements that the judge has allocated; a check of each
  // access would find nothing and take most of the time.
  LoweringOptions support = options;
  support.cpuChecks = false;
  return lowerToProgram(*module, support);
}

FailureOr<OraclePrograms>
kernelskill::buildOracle(ModuleOp payload, const LoweringOptions &options,
                         StringRef numerics) {
  OraclePrograms programs;
  llvm::Expected<const NumericsClass *> known = findNumerics(numerics);
  if (!known) {
    payload.emitError() << llvm::toString(known.takeError());
    return failure();
  }
  RoundProductsOptions rounding;
  rounding.format = (*known)->products.str();
  OwningOpRef<ModuleOp> oracle = cloneOf(payload), plain = cloneOf(payload);
  if (isKernelPayload(payload)) {
    programs.scaled = false;
    if (failed(runPasses(*oracle, [](OpPassManager &manager) {
          manager.addPass(createPromote());
        })))
      return failure();
  } else {
    auto plainPasses = [&](OpPassManager &manager) {
      manager.addNestedPass<func::FuncOp>(
          createConvertElementwiseToLinalgPass());
      // Plain fp32 has no f64 detours; see docs/numerics.md.
      manager.addNestedPass<func::FuncOp>(createNarrowVariances());
      if (!rounding.format.empty())
        manager.addNestedPass<func::FuncOp>(createRoundProducts(rounding));
      manager.addNestedPass<func::FuncOp>(createBlockSums());
      manager.addNestedPass<func::FuncOp>(createBlockScans());
      buildOraclePipeline(manager);
    };
    ErrorScaleOptions scaling = scalingOf(payload, **known);
    auto oraclePasses = [&](OpPassManager &manager) {
      manager.addNestedPass<func::FuncOp>(
          createConvertElementwiseToLinalgPass());
      manager.addPass(createPromote());
      manager.addNestedPass<func::FuncOp>(createErrorScale(scaling));
      BlockSumsOptions few;
      few.maxResults = kFewResults;
      manager.addNestedPass<func::FuncOp>(createBlockSums(few));
      buildOraclePipeline(manager);
    };
    if (failed(runPasses(*oracle, oraclePasses)) ||
        failed(runPasses(*plain, plainPasses)))
      return failure();
  }
  // What upstream's passes made of a payload on tensors stays in bounds by
  // construction; a hand-written kernel may not.
  LoweringOptions lowering = options;
  lowering.cpuChecks = options.cpuChecks && !programs.scaled;
  lowering.manyKernels = true;
  FailureOr<Program> oracleProgram = lowerToProgram(*oracle, lowering);
  FailureOr<Program> plainProgram = lowerToProgram(*plain, lowering);
  FailureOr<Program> support = buildSupport(*payload.getContext(), options);
  if (failed(oracleProgram) || failed(plainProgram) || failed(support))
    return failure();
  if (programs.scaled) {
    shareTemporaries(*oracleProgram);
    shareTemporaries(*plainProgram);
  }
  programs.oracle = std::move(*oracleProgram);
  programs.plain = std::move(*plainProgram);
  programs.plain.numerics = (*known)->name.str();
  programs.support = std::move(*support);
  return programs;
}
