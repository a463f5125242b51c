// `read-input`, a child of the driver: reads a payload, a recipe or folders of
// skills as the driver will. What it found, or what is wrong, is in read.json;
// there is none if it died.
#include "Commands.h"
#include "DiagnosticText.h"
#include "KernelSkill/Driver/Registration.h"
#include "KernelSkill/Skills/Recipe.h"
#include "OutputFile.h"
#include "PayloadFile.h"
#include "SkillFolders.h"

using namespace llvm;
using namespace kernelskill;

/// What is no payload at all is said here; the passes check the rest.
static Error checkIsPayload(mlir::ModuleOp module, StringRef path) {
  SmallVector<mlir::func::FuncOp> functions;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      functions.push_back(function);
  bool kernels = !module.getOps<mlir::gpu::GPUModuleOp>().empty();
  auto at = [&](mlir::Operation *op) {
    std::string place = placeOf(op->getLoc());
    return place.empty() ? path.str() : place;
  };
  if (functions.empty() && !kernels)
    return makeError(ExitCode::Input,
                     path + ": module holds no public function and no "
                            "gpu.module; a payload needs one of them");
  if (functions.size() > 1)
    return makeError(ExitCode::Input,
                     at(functions[1]) + ": second public function '" +
                         functions[1].getName() +
                         "'; a payload has one, make the others private");
  for (mlir::func::FuncOp function : functions) {
    auto types = function.getFunctionType();
    for (mlir::Type type :
         concat<const mlir::Type>(types.getInputs(), types.getResults())) {
      auto shaped = dyn_cast<mlir::ShapedType>(type);
      if (!shaped || shaped.hasStaticShape())
        continue;
      std::string text;
      raw_string_ostream(text) << type;
      return makeError(ExitCode::Input,
                       at(function) + ": type " + text +
                           " has a dynamic shape; give static sizes");
    }
  }
  return Error::success();
}

static Expected<json::Object> readPayload(const Options &options,
                                          mlir::MLIRContext &context) {
  auto module = parseModule(options.operand, context);
  if (!module)
    return module.takeError();
  if (Error error = checkIsPayload(**module, options.get("--name")))
    return std::move(error);
  // With locations, so that later errors name the user's own file.
  std::string text;
  raw_string_ostream os(text);
  (*module)->print(os, mlir::OpPrintingFlags().enableDebugInfo());
  if (Error error =
          writeFile(joinPath(options.get("-o"), "payload.mlir"), text))
    return std::move(error);
  return json::Object{{"hash", payloadHash(**module)}};
}

static Expected<json::Object> readRecipeFile(const Options &options,
                                             mlir::MLIRContext &context) {
  DiagnosticText diagnostics(context);
  auto recipe = readRecipe(&context, options.operand);
  if (mlir::failed(recipe))
    return makeError(ExitCode::Input, diagnostics.firstError(options.operand +
                                                             ": is no recipe"));
  return json::Object{{"hash", canonicalHash(**recipe)},
                      {"size", int64_t(printRecipe(**recipe).size())}};
}

static Expected<json::Object> read(const Options &options) {
  mlir::DialectRegistry registry;
  registerUsedDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string kind = options.get("--as");
  if (kind == "payload")
    return readPayload(options, context);
  if (kind == "recipe")
    return readRecipeFile(options, context);
  if (kind != "skills")
    return makeError(ExitCode::Usage, "--as takes payload, recipe or skills");
  auto library = loadSkills(context, options.all("--skills"));
  if (!library)
    return library.takeError();
  return json::Object{{"skills", int64_t(library->all().size())}};
}

Expected<ExitCode> kernelskill::runReadInput(const Options &options) {
  ExitCode code = ExitCode::Success;
  json::Object object;
  Expected<json::Object> found = read(options);
  if (found)
    object = std::move(*found);
  else
    handleAllErrors(
        found.takeError(),
        [&](const DriverError &failure) {
          code = failure.code;
          object["message"] = failure.message;
        },
        [&](const ErrorInfoBase &other) {
          code = ExitCode::Input;
          object["message"] = other.message();
        });
  object["exit_code"] = int64_t(code);
  if (Error error =
          writeFile(joinPath(options.get("-o"), "read.json"),
                    formatv("{0}\n", json::Value(std::move(object))).str()))
    return std::move(error);
  return code;
}
