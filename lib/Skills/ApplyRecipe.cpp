// Applies a recipe to its payload: graph steps and dispatch forming, then
// strategies, host bufferization and refinements.
//
// Graph's passes and the default strategy are called by their names, so that
// this room needs no header of Graph or Codegen; they must be registered, as
// the tools do.
#include "KernelSkill/Skills/ApplyRecipe.h"
#include "KernelSkill/Skills/Recipe.h"
#include "KernelSkill/Skills/VerifyStage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace kernelskill;

static constexpr StringLiteral kDefaultStrategy = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @default(%dispatch: !transform.any_op) {
    transform.kernelskill.default_strategy %dispatch : !transform.any_op
    transform.yield
  }
}
)";

static LogicalResult runPipeline(ModuleOp module, StringRef pipeline) {
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, passes, os)))
    return module.emitError() << "can't run '" << pipeline << "': " << message;
  return passes.run(module);
}

/// Interprets a step on one op. Errors get a note that names the step.
static LogicalResult runStep(Operation *target, const RecipeStep &step,
                             ModuleOp recipe) {
  ScopedDiagnosticHandler handler(
      target->getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          diagnostic.attachNote(step.sequence->getLoc())
              << "in step " << step.index << " of the recipe, skill '"
              << step.skill << "'";
        return failure();
      });
  transform::TransformOptions options;
  return transform::applyTransformNamedSequence(target, step.sequence, recipe,
                                                options);
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

/// The functions and kernels that carry a fingerprint, with their kinds.
static void collectTargets(ModuleOp module,
                           llvm::MapVector<StringRef, DispatchKind> &targets) {
  module.walk([&](FunctionOpInterface function) {
    if (auto dispatch = function->getAttrOfType<DispatchAttr>(kDispatchAttr))
      targets.insert({dispatch.getFingerprint(), dispatch.getKind()});
  });
}

/// Whether a module is a dispatch stage already.
static bool hasDispatches(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
    return function->hasAttr(kDispatchAttr);
  });
}

/// Every strategy and refinement must have a target.
static LogicalResult checkTargets(ModuleOp module, ModuleOp recipe) {
  llvm::MapVector<StringRef, DispatchKind> targets;
  collectTargets(module, targets);
  for (const RecipeStep &step : listSteps(recipe)) {
    if (step.stage == Stage::Graph || targets.count(step.dispatch))
      continue;
    auto diagnostic = step.sequence->emitError()
                      << "step " << step.index << ", skill '" << step.skill
                      << "', has no target: there is no dispatch '"
                      << step.dispatch << "'; the payload has ";
    llvm::interleaveComma(targets, diagnostic, [&](const auto &target) {
      diagnostic << "'" << target.first << "' ("
                 << stringifyDispatchKind(target.second) << ")";
    });
    return diagnostic;
  }
  return success();
}

/// Marks each hand-written kernel as a dispatch of its own.
static LogicalResult markKernels(ModuleOp module, ModuleOp recipe) {
  for (const RecipeStep &step : listSteps(recipe))
    if (step.stage != Stage::Refine)
      return step.sequence->emitError()
             << "a " << stringifyStage(step.stage)
             << " step can't be applied to a module of kernels, only "
                "refinements can";
  module.walk([&](gpu::GPUFuncOp kernel) {
    if (kernel->hasAttr(kDispatchAttr))
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    Operation *copy = kernel->clone();
    SymbolTable::setSymbolName(copy, "kernel");
    for (StringRef projection : {kFeaturesAttr, kDiagnosisAttr})
      copy->removeDiscardableAttr(projection);
    copy->print(os, OpPrintingFlags().enableDebugInfo(false).useLocalScope());
    copy->destroy();
    std::string fingerprint = llvm::formatv(
        "{0:x-16}", llvm::xxh3_64bits(llvm::arrayRefFromStringRef(text)));
    kernel->setAttr(kDispatchAttr,
                    DispatchAttr::get(module.getContext(), DispatchKind::Kernel,
                                      fingerprint));
  });
  return success();
}

//===----------------------------------------------------------------------===//
// The two halves
//===----------------------------------------------------------------------===//

static LogicalResult checkPayload(ModuleOp payload, ModuleOp recipe) {
  std::string expected = recipeHeader(recipe).payload;
  if (expected.empty())
    return success();
  std::string found = payloadHash(payload);
  if (found == expected)
    return success();
  return recipe.emitError()
         << "the recipe is for the payload with the hash '" << expected
         << "', but this payload's is '" << found << "'";
}

LogicalResult kernelskill::formDispatchStage(ModuleOp payload,
                                             ModuleOp recipe) {
  if (failed(verifyRecipe(recipe)) || failed(checkPayload(payload, recipe)))
    return failure();
  if (isKernelPayload(payload)) {
    if (failed(markKernels(payload, recipe)))
      return failure();
    return checkTargets(payload, recipe);
  }
  if (hasDispatches(payload)) {
    // Formed already: graph steps would come too late.
    if (llvm::any_of(listSteps(recipe), [](const RecipeStep &step) {
          return step.stage == Stage::Graph;
        }))
      return recipe.emitError() << "a graph step can't be applied to a "
                                   "payload whose dispatches are formed";
    return success(succeeded(verifyDispatchStage(payload)) &&
                   succeeded(checkTargets(payload, recipe)));
  }
  if (failed(runPipeline(payload, "kernelskill-canonicalize-payload")))
    return failure();
  bool changed = false;
  for (const RecipeStep &step : listSteps(recipe)) {
    if (step.stage != Stage::Graph)
      continue;
    changed = true;
    if (failed(runStep(payload, step, recipe)) || failed(verify(payload)))
      return failure();
  }
  if (changed &&
      failed(runPipeline(payload, "kernelskill-canonicalize-payload")))
    return failure();
  if (failed(runPipeline(payload, "kernelskill-form-dispatches")) ||
      failed(verifyDispatchStage(payload)))
    return failure();
  return checkTargets(payload, recipe);
}

/// The user has written no step for the default strategy: what it refuses is
/// said at the dispatch.
static LogicalResult applyDefault(func::FuncOp function,
                                  transform::NamedSequenceOp sequence,
                                  ModuleOp defaults) {
  std::string reason;
  {
    ScopedDiagnosticHandler handler(
        function.getContext(), [&](Diagnostic &diagnostic) {
          reason += (reason.empty() ? "" : "; ") + diagnostic.str();
          return success();
        });
    if (succeeded(transform::applyTransformNamedSequence(
            function, sequence, defaults, transform::TransformOptions())))
      return success();
  }
  return function.emitError() << reason;
}

/// Strategies of the recipe, and the default one for all other dispatches.
static LogicalResult applyStrategies(ModuleOp module, ModuleOp recipe) {
  OwningOpRef<ModuleOp> defaults = parseSourceString<ModuleOp>(
      kDefaultStrategy, ParserConfig(module.getContext()), "default strategy");
  if (!defaults)
    return failure();
  auto sequence = *defaults->getOps<transform::NamedSequenceOp>().begin();
  std::vector<RecipeStep> steps = listSteps(recipe);
  SmallVector<func::FuncOp> dispatches;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kDispatchAttr))
      dispatches.push_back(function);
  for (func::FuncOp function : dispatches) {
    auto dispatch = function->getAttrOfType<DispatchAttr>(kDispatchAttr);
    auto step = llvm::find_if(steps, [&](const RecipeStep &step) {
      return step.stage == Stage::Strategy &&
             step.dispatch == dispatch.getFingerprint();
    });
    LogicalResult applied = step != steps.end()
                                ? runStep(function, *step, recipe)
                                : applyDefault(function, sequence, *defaults);
    if (failed(applied))
      return failure();
  }
  return verify(module);
}

static LogicalResult applyRefinements(ModuleOp module, ModuleOp recipe) {
  for (const RecipeStep &step : listSteps(recipe)) {
    if (step.stage != Stage::Refine)
      continue;
    SmallVector<gpu::GPUFuncOp> kernels;
    module.walk([&](gpu::GPUFuncOp kernel) {
      auto dispatch = kernel->getAttrOfType<DispatchAttr>(kDispatchAttr);
      if (dispatch && dispatch.getFingerprint() == step.dispatch)
        kernels.push_back(kernel);
    });
    for (gpu::GPUFuncOp kernel : kernels)
      if (failed(runStep(kernel, step, recipe)))
        return failure();
    if (failed(verify(module)))
      return failure();
  }
  return success();
}

LogicalResult kernelskill::formKernelStage(ModuleOp module, ModuleOp recipe) {
  if (!isKernelPayload(module))
    if (failed(applyStrategies(module, recipe)) ||
        failed(runPipeline(module, "kernelskill-bufferize-host")))
      return failure();
  if (failed(applyRefinements(module, recipe)))
    return failure();
  return verifyKernelStage(module);
}

LogicalResult kernelskill::applyRecipe(ModuleOp payload, ModuleOp recipe) {
  if (failed(formDispatchStage(payload, recipe)))
    return failure();
  return formKernelStage(payload, recipe);
}
