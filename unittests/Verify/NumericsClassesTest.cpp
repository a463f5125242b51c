// Each numerics class on a product of matrices: what it is for is right, what
// is coarser is wrong. Candidates are payloads that round their operands.
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Verify/Judge.h"
#include "KernelSkill/Verify/Oracle.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

// A product of 12x4096 and 4096x24, as long as a split in bf16 needs for 20
// times the yardstick's error (docs/verification.md); `body` makes %p of the
// operands %a and %b.
std::string product(llvm::StringRef body) {
  return (R"(
func.func @forward(%x: tensor<12x4096xf32>, %w: tensor<4096x24xf32>) -> tensor<12x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<12x24xf32>) -> tensor<12x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<12x4096xf32>, tensor<4096x24xf32>) outs(%f : tensor<12x24xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
)" + body +
          R"(
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<12x24xf32>
  return %r : tensor<12x24xf32>
}
)")
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
// An operand cut to three bits by Veltkamp's splitting: coarser than bf16.
constexpr llvm::StringLiteral kThreeBits = R"(
    %k = arith.constant 2097153.0 : f32
    %a0 = arith.mulf %a, %k : f32
    %a1 = arith.subf %a0, %a : f32
    %a2 = arith.subf %a0, %a1 : f32
    %p = arith.mulf %a2, %b : f32)";

class NumericsClasses : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    options.ptx = options.cubin = false;
    device = llvm::cantFail(openDevice("cpu"));
    judge = llvm::cantFail(Judge::create(*device, build(product(kExact))));
  }

  OraclePrograms build(const std::string &text) {
    auto payload = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(payload));
    mlir::FailureOr<OraclePrograms> programs = buildOracle(*payload, options);
    EXPECT_TRUE(mlir::succeeded(programs));
    return mlir::succeeded(programs) ? std::move(*programs) : OraclePrograms();
  }

  // The yardstick of another payload is a candidate for this one.
  Program candidate(llvm::StringRef body) { return build(product(body)).plain; }

  bool isRight(const Program &program, llvm::StringRef numerics) {
    JudgeOptions judging;
    judging.numerics = numerics.str();
    // Parts of an infinity are not a number: splitting is judged on the others.
    judging.families = {"positive", "heavy"};
    judging.drawnSeeds = 1;
    llvm::Expected<Verdict> verdict = judge->judge(program, judging);
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
  std::unique_ptr<Judge> judge;
  std::string why; // the last verdict's message
};

TEST_F(NumericsClasses, TakeWhatTheyAreForAndNothingCoarser) {
  struct Row {
    llvm::StringLiteral name, body;
    std::vector<llvm::StringRef> right, wrong;
  };
  const Row rows[] = {
      {"exact",
       kExact,
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "bf16", "fast-math"},
       {}},
      {"split",
       kSplit,
       {"bf16x3", "tf32", "fp16", "bf16", "fast-math"},
       {"strict", "fp32"}},
      {"half", kHalf, {"tf32", "fp16", "bf16"}, {"strict", "fp32", "bf16x3"}},
      {"brain",
       kBrain,
       {"bf16"},
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "fast-math"}},
      {"three bits",
       kThreeBits,
       {},
       {"strict", "fp32", "bf16x3", "tf32", "fp16", "bf16", "fast-math"}},
  };
  for (const Row &row : rows) {
    Program program = candidate(row.body);
    for (llvm::StringRef numerics : row.right)
      EXPECT_TRUE(isRight(program, numerics))
          << row.name.str() << " in " << numerics.str() << ": " << why;
    for (llvm::StringRef numerics : row.wrong)
      EXPECT_FALSE(isRight(program, numerics))
          << row.name.str() << " in " << numerics.str();
  }
}

} // namespace
