// Edits of recipes: values, order, names and hashes.
#include "KernelSkill/Skills/Recipe.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelskill;

namespace {
constexpr const char *kSkill = R"(
module attributes {transform.with_named_sequence} {
  transform.named_sequence @act(%k: !transform.any_op {transform.readonly}) {
    %w = transform.tune.knob<"width"> options = [4, 2] -> !transform.param<i64>
    transform.include @mark failures(propagate) (%k, %w) : (!transform.any_op, !transform.param<i64>) -> ()
    transform.yield
  }
  transform.named_sequence @mark(%k: !transform.any_op {transform.readonly}, %w: !transform.param<i64> {transform.readonly}) {
    %d = transform.tune.knob<"deep"> options = [true, false] -> !transform.param<i1>
    transform.annotate %k "width" = %w : !transform.any_op, !transform.param<i64>
    transform.yield
  }
})";
constexpr const char *kFirst = "0000000000000001";
constexpr const char *kSecond = "0000000000000002";

struct RecipeTest : testing::Test {
  RecipeTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    library = parseSourceString<ModuleOp>(kSkill, &context);
    action = *library->getOps<transform::NamedSequenceOp>().begin();
    empty = createEmptyRecipe(&context, RecipeHeader());
  }

  /// Errors of the last edit.
  std::string errorOf(llvm::function_ref<LogicalResult()> edit) {
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        message += diagnostic.str();
    });
    EXPECT_TRUE(failed(edit()));
    return message;
  }

  OwningOpRef<ModuleOp> add(ModuleOp recipe, Stage stage, StringRef dispatch,
                            KnobAssignment knobs = {}) {
    auto added = addStep(recipe, action, "act", stage, dispatch, knobs);
    EXPECT_TRUE(succeeded(added));
    return std::move(*added);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> library, empty;
  transform::NamedSequenceOp action;
};
} // namespace

TEST_F(RecipeTest, KnobsGetTheirFirstOptionUnlessAssigned) {
  auto recipe = add(*empty, Stage::Refine, kFirst, {{"width", "2"}});
  auto steps = listSteps(*recipe);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].skill, "act");
  EXPECT_EQ(steps[0].knobs, (KnobAssignment{{"width", "2"}, {"deep", "true"}}));
}

TEST_F(RecipeTest, StepsKeepTheOrderOfStages) {
  auto one = add(*empty, Stage::Refine, kFirst);
  auto two = add(*one, Stage::Strategy, kFirst);
  auto three = add(*two, Stage::Graph, "");
  auto steps = listSteps(*three);
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].stage, Stage::Graph);
  EXPECT_EQ(steps[1].stage, Stage::Strategy);
  EXPECT_EQ(steps[2].stage, Stage::Refine);
  EXPECT_EQ(steps[2].sequence.getSymName(), "step_2");
}

TEST_F(RecipeTest, AnEditLeavesTheOldRecipe) {
  std::string before = canonicalHash(*empty);
  auto recipe = add(*empty, Stage::Refine, kFirst);
  EXPECT_EQ(canonicalHash(*empty), before);
  EXPECT_NE(canonicalHash(*recipe), before);
  auto dropped = dropStep(*recipe, 0);
  ASSERT_TRUE(succeeded(dropped));
  EXPECT_EQ(canonicalHash(**dropped), before);
}

TEST_F(RecipeTest, TheHashIsOfWhatIsDone) {
  auto direct = add(*empty, Stage::Refine, kFirst, {{"width", "2"}});
  auto other = add(*empty, Stage::Refine, kFirst);
  EXPECT_NE(canonicalHash(*direct), canonicalHash(*other));
  auto edited = setKnobs(*other, 0, {{"width", "2"}});
  ASSERT_TRUE(succeeded(edited));
  EXPECT_EQ(canonicalHash(*direct), canonicalHash(**edited));
  // The way to a recipe doesn't matter, its target does.
  auto longer = add(*direct, Stage::Refine, kSecond);
  auto shorter = dropStep(*longer, 1);
  EXPECT_EQ(canonicalHash(**shorter), canonicalHash(*direct));
  auto elsewhere = add(*empty, Stage::Refine, kSecond, {{"width", "2"}});
  EXPECT_NE(canonicalHash(*elsewhere), canonicalHash(*direct));
  // What could have been chosen doesn't matter either.
  std::string text = printRecipe(*direct);
  size_t at = text.find("[4, 2]");
  ASSERT_NE(at, std::string::npos);
  auto narrowed =
      parseRecipe(&context, text.replace(at, 6, "[2, 8]"), "narrowed");
  ASSERT_TRUE(succeeded(narrowed));
  EXPECT_EQ(canonicalHash(**narrowed), canonicalHash(*direct));
}

TEST_F(RecipeTest, PrintsAndParsesTheSame) {
  auto one = add(*empty, Stage::Strategy, kFirst, {{"width", "2"}});
  auto two = add(*one, Stage::Refine, kSecond);
  std::string text = printRecipe(*two);
  auto parsed = parseRecipe(&context, text, "again");
  ASSERT_TRUE(succeeded(parsed));
  EXPECT_EQ(printRecipe(**parsed), text);
  EXPECT_EQ(canonicalHash(**parsed), canonicalHash(*two));
}

TEST_F(RecipeTest, ReplacingKeepsTheTarget) {
  auto recipe = add(*empty, Stage::Strategy, kFirst);
  auto replaced = replaceStep(*recipe, 0, action, "other", {{"deep", "false"}});
  ASSERT_TRUE(succeeded(replaced));
  auto steps = listSteps(**replaced);
  EXPECT_EQ(steps[0].skill, "other");
  EXPECT_EQ(steps[0].dispatch, kFirst);
  EXPECT_EQ(steps[0].knobs["deep"], "false");
}

TEST_F(RecipeTest, WrongEditsAreErrors) {
  auto recipe = add(*empty, Stage::Strategy, kFirst);
  EXPECT_NE(errorOf([&] {
              return setKnobs(*recipe, 0, {{"width", "3"}});
            }).find("knob 'width' has no option 3; it has [4, 2]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              return setKnobs(*recipe, 0, {{"size", "3"}});
            }).find("the step has no knob 'size'"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              return dropStep(*recipe, 1);
            }).find("the recipe has 1 steps, and there is no step 1"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              return addStep(*recipe, action, "act", Stage::Strategy, kFirst,
                             {});
            }).find("has two strategies"),
            std::string::npos);
}

TEST_F(RecipeTest, ThePayloadHashIgnoresLocationsOnly) {
  auto hash = [&](StringRef text) {
    return payloadHash(*parseSourceString<ModuleOp>(text, &context));
  };
  std::string base = hash("func.func @f(%a: i32) { return }");
  EXPECT_EQ(base.size(), 16u);
  EXPECT_EQ(base, hash("\n\nfunc.func @f(%b: i32) {\n return loc(\"x\") }"));
  EXPECT_NE(base, hash("func.func @f(%a: i64) { return }"));
}
