// Each numerics class on products of matrices of many lengths, with and without
// cancellation: kernels of the class are right, those of the next coarser one
// are wrong. Candidates are payloads that round their operands.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Verify/Judge.h"
#include "KernelSkill/Verify/Numerics.h"
#include "KernelSkill/Verify/Oracle.h"
#include "KernelSkill/Verify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

// out[i, j] = the sum over k of x[i, k] w[k, j], and where it cancels of
// -x[i, k] (w[k, j] + v[k, j] / 16) as well: what is left is a sixteenth of
// what is summed. `body` makes %p of the operands %a and %b.
std::string product(int64_t length, bool cancels, llvm::StringRef body) {
  return llvm::formatv(R"(
#ak = affine_map<(s, i, j) -> (i, j)>
#bk = affine_map<(s, i, j) -> (s, i, j)>
func.func @forward(%x: tensor<12x{0}xf32>, %w: tensor<{0}x24xf32>, %v: tensor<{0}x24xf32>) -> tensor<12x24xf32> {{
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.0625 : f32
  %none = arith.constant 0 : index
  %e = tensor.empty() : tensor<12x24xf32>
  %ea = tensor.empty() : tensor<{1}x12x{0}xf32>
  %eb = tensor.empty() : tensor<{1}x{0}x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x24xf32>) -> tensor<12x24xf32>
  %l = linalg.generic {{indexing_maps = [#ak, #bk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<12x{0}xf32>) outs(%ea : tensor<{1}x12x{0}xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %s = linalg.index 0 : index
    %first = arith.cmpi eq, %s, %none : index
    %n = arith.negf %a : f32
    %r = arith.select %first, %a, %n : f32
    linalg.yield %r : f32
  } -> tensor<{1}x12x{0}xf32>
  %h = linalg.generic {{indexing_maps = [#ak, #ak, #bk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %v : tensor<{0}x24xf32>, tensor<{0}x24xf32>) outs(%eb : tensor<{1}x{0}x24xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = linalg.index 0 : index
    %first = arith.cmpi eq, %s, %none : index
    %d = arith.mulf %b, %part : f32
    %t = arith.addf %a, %d : f32
    %r = arith.select %first, %a, %t : f32
    linalg.yield %r : f32
  } -> tensor<{1}x{0}x24xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, s, k) -> (s, i, k)>, affine_map<(i, j, s, k) -> (s, k, j)>, affine_map<(i, j, s, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%l, %h : tensor<{1}x12x{0}xf32>, tensor<{1}x{0}x24xf32>) outs(%f : tensor<12x24xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32):
{2}
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x24xf32>
  return %r : tensor<12x24xf32>
}
)",
                       length, cancels ? 2 : 1, body)
      .str();
}

constexpr llvm::StringLiteral kExact = "%p = arith.mulf %a, %b : f32";
constexpr llvm::StringLiteral kHalf = R"(
    %a0 = arith.truncf %a : f32 to f16
    %a1 = arith.extf %a0 : f16 to f32
    %b0 = arith.truncf %b : f32 to f16
    %b1 = arith.extf %b0 : f16 to f32
    %p = arith.mulf %a1, %b1 : f32)";
constexpr llvm::StringLiteral kBrain = R"(
    %a0 = arith.truncf %a : f32 to bf16
    %a1 = arith.extf %a0 : bf16 to f32
    %b0 = arith.truncf %b : f32 to bf16
    %b1 = arith.extf %b0 : bf16 to f32
    %p = arith.mulf %a1, %b1 : f32)";
// High and low parts of both, without the product of the low ones.
constexpr llvm::StringLiteral kSplit = R"(
    %a0 = arith.truncf %a : f32 to bf16
    %a1 = arith.extf %a0 : bf16 to f32
    %a2 = arith.subf %a, %a1 : f32
    %a3 = arith.truncf %a2 : f32 to bf16
    %a4 = arith.extf %a3 : bf16 to f32
    %b0 = arith.truncf %b : f32 to bf16
    %b1 = arith.extf %b0 : bf16 to f32
    %b2 = arith.subf %b, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to bf16
    %b4 = arith.extf %b3 : bf16 to f32
    %p0 = arith.mulf %a1, %b1 : f32
    %p1 = arith.mulf %a1, %b4 : f32
    %p2 = arith.mulf %a4, %b1 : f32
    %p3 = arith.addf %p1, %p2 : f32
    %p = arith.addf %p0, %p3 : f32)";
// The same, with the parts of what is not finite left out of all but the
// products of the high parts.
constexpr llvm::StringLiteral kMaskedSplit = R"(
    %inf = arith.constant 0x7F800000 : f32
    %a0 = arith.truncf %a : f32 to bf16
    %a1 = arith.extf %a0 : bf16 to f32
    %am = math.absf %a1 : f32
    %af = arith.cmpf olt, %am, %inf : f32
    %a2 = arith.subf %a, %a1 : f32
    %a3 = arith.truncf %a2 : f32 to bf16
    %a4 = arith.extf %a3 : bf16 to f32
    %ah = arith.select %af, %a1, %zero : f32
    %al = arith.select %af, %a4, %zero : f32
    %b0 = arith.truncf %b : f32 to bf16
    %b1 = arith.extf %b0 : bf16 to f32
    %bm = math.absf %b1 : f32
    %bf = arith.cmpf olt, %bm, %inf : f32
    %b2 = arith.subf %b, %b1 : f32
    %b3 = arith.truncf %b2 : f32 to bf16
    %b4 = arith.extf %b3 : bf16 to f32
    %bh = arith.select %bf, %b1, %zero : f32
    %bl = arith.select %bf, %b4, %zero : f32
    %p0 = arith.mulf %a1, %b1 : f32
    %p1 = arith.mulf %ah, %bl : f32
    %p2 = arith.mulf %al, %bh : f32
    %p3 = arith.addf %p1, %p2 : f32
    %p = arith.addf %p0, %p3 : f32)";
// The 13 lowest bits cut off, as tensor cores do to what they take for tf32.
constexpr llvm::StringLiteral kCut = R"(
    %mask = arith.constant -8192 : i32
    %a0 = arith.bitcast %a : f32 to i32
    %a1 = arith.andi %a0, %mask : i32
    %a2 = arith.bitcast %a1 : i32 to f32
    %b0 = arith.bitcast %b : f32 to i32
    %b1 = arith.andi %b0, %mask : i32
    %b2 = arith.bitcast %b1 : i32 to f32
    %p = arith.mulf %a2, %b2 : f32)";
// Operands cut to three bits by Veltkamp's splitting: coarser than bf16.
constexpr llvm::StringLiteral kThreeBits = R"(
    %k = arith.constant 2097153.0 : f32
    %a0 = arith.mulf %a, %k : f32
    %a1 = arith.subf %a0, %a : f32
    %a2 = arith.subf %a0, %a1 : f32
    %b0 = arith.mulf %b, %k : f32
    %b1 = arith.subf %b0, %b : f32
    %b2 = arith.subf %b0, %b1 : f32
    %p = arith.mulf %a2, %b2 : f32)";

class NumericsClasses : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    options.ptx = options.cubin = options.cpuChecks = false;
    device = llvm::cantFail(openDevice("cpu"));
  }

  OraclePrograms build(const std::string &text, llvm::StringRef numerics) {
    auto payload = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(payload));
    mlir::FailureOr<OraclePrograms> programs =
        buildOracle(*payload, options, numerics);
    EXPECT_TRUE(mlir::succeeded(programs));
    return mlir::succeeded(programs) ? std::move(*programs) : OraclePrograms();
  }

  // The payload in its own types, by the yardstick's passes.
  Program candidate(const std::string &text) {
    auto payload = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(payload));
    mlir::PassManager manager(&context);
    manager.addNestedPass<mlir::func::FuncOp>(createBlockSums());
    buildOraclePipeline(manager);
    EXPECT_TRUE(mlir::succeeded(manager.run(*payload)));
    mlir::FailureOr<Program> program = lowerToProgram(*payload, options);
    EXPECT_TRUE(mlir::succeeded(program));
    return mlir::succeeded(program) ? std::move(*program) : Program();
  }

  std::unique_ptr<Judge> judgeOf(const std::string &text,
                                 llvm::StringRef numerics) {
    return llvm::cantFail(Judge::create(*device, build(text, numerics)));
  }

  bool isRight(Judge &judge, const Program &program, llvm::StringRef numerics,
               std::vector<std::string> families) {
    JudgeOptions judging;
    judging.numerics = numerics.str();
    judging.families = std::move(families);
    judging.drawnSeeds = 0;
    llvm::Expected<Verdict> verdict = judge.judge(program, judging);
    if (!verdict) {
      ADD_FAILURE() << llvm::toString(verdict.takeError());
      return false;
    }
    why = verdict->message;
    return verdict->right();
  }

  mlir::MLIRContext context;
  LoweringOptions options;
  std::unique_ptr<Device> device;
  std::string why; // the last verdict's message
};

TEST_F(NumericsClasses, TakeWhatTheyAreForAndNothingCoarser) {
  struct Row {
    llvm::StringLiteral name, body;
    std::vector<llvm::StringRef> right, wrong;
  };
  // fast-math says nothing of products: what is of the size of 64 roundoffs may
  // be either.
  const Row rows[] = {
      {"exact",
       kExact,
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "bf16", "fast-math"},
       {}},
      {"split", kSplit, {"bf16x3", "tf32", "fp16", "bf16"}, {"strict", "fp32"}},
      {"masked split",
       kMaskedSplit,
       {"bf16x3", "tf32", "fp16", "bf16"},
       {"strict", "fp32"}},
      {"half",
       kHalf,
       {"tf32", "fp16", "bf16"},
       {"strict", "fp32", "bf16x3", "fast-math"}},
      {"cut",
       kCut,
       {"tf32", "fp16", "bf16"},
       {"strict", "fp32", "bf16x3", "fast-math"}},
      {"brain",
       kBrain,
       {"bf16"},
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "fast-math"}},
      {"three bits",
       kThreeBits,
       {},
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "bf16", "fast-math"}},
  };
  for (bool cancels : {false, true})
    for (int64_t length : {8, 1024, 4096}) {
      std::vector<Program> candidates;
      for (const Row &row : rows)
        candidates.push_back(candidate(product(length, cancels, row.body)));
      for (const NumericsClass &numerics : knownNumerics()) {
        auto judge = judgeOf(product(length, cancels, kExact), numerics.name);
        for (auto [row, program] : llvm::zip_equal(rows, candidates)) {
          std::string what = llvm::formatv("{0} in {1}, {2} products{3}",
                                           row.name, numerics.name, length,
                                           cancels ? " that cancel" : "");
          if (llvm::is_contained(row.right, numerics.name))
            EXPECT_TRUE(isRight(*judge, program, numerics.name,
                                {"normal", "positive", "heavy"}))
                << what << ": " << why;
          if (llvm::is_contained(row.wrong, numerics.name))
            EXPECT_FALSE(isRight(*judge, program, numerics.name,
                                 {"normal", "positive", "heavy"}))
                << what;
        }
      }
    }
}

// No class takes a NaN that the split of an infinity makes.
TEST_F(NumericsClasses, SplitsHandleInfinities) {
  Program split = candidate(product(64, false, kSplit));
  Program masked = candidate(product(64, false, kMaskedSplit));
  auto judge = judgeOf(product(64, false, kExact), "bf16x3");
  EXPECT_FALSE(isRight(*judge, split, "bf16x3", {"special"}));
  EXPECT_TRUE(isRight(*judge, masked, "bf16x3", {"special"})) << why;
}

// The classes are of fp32: an output of 16 bits is held to its own roundoffs.
TEST_F(NumericsClasses, NarrowOutputsAreNotExcused) {
  for (const NumericsClass &numerics : knownNumerics())
    for (ElementType type : {ElementType::F16, ElementType::BF16}) {
      // A product of bf16 numbers loses 2^-7, which is 16 roundoffs of f16.
      bool coarser = type == ElementType::F16 && numerics.name == "bf16";
      EXPECT_LE(numerics.normwiseBound(1, type), coarser ? 16 : 4)
          << numerics.name.str();
      EXPECT_LE(numerics.componentwiseBound(1, type), coarser ? 16 : 4);
    }
}

TEST_F(NumericsClasses, YardstickOfAnotherClassIsAnError) {
  auto judge = judgeOf(product(8, false, kExact), "tf32");
  JudgeOptions judging;
  judging.numerics = "bf16";
  llvm::Expected<Verdict> verdict =
      judge->judge(candidate(product(8, false, kExact)), judging);
  ASSERT_FALSE(bool(verdict));
  EXPECT_EQ(llvm::toString(verdict.takeError()),
            "the yardstick is of the numerics class 'tf32', not of 'bf16'; "
            "build the oracle for that");
}

} // namespace
