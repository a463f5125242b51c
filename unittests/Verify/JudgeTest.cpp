// The judge on small payloads, on the CPU device: the yardstick itself is
// right, what is not the payload's is refused, references are the oracle's
// numbers.
#include "KernelSkill/Verify/Judge.h"
#include "KernelSkill/IR/KernelSkillDialect.h"
#include "KernelSkill/Verify/Oracle.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

class JudgeTest : public testing::Test {
protected:
  void SetUp() override {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    options.ptx = options.cubin = false;
    llvm::Expected<std::unique_ptr<Device>> opened = openDevice("cpu");
    ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    device = std::move(*opened);
  }

  OraclePrograms oracleOf(llvm::StringRef text) {
    mlir::OwningOpRef<mlir::ModuleOp> payload =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(bool(payload));
    mlir::FailureOr<OraclePrograms> programs = buildOracle(*payload, options);
    EXPECT_TRUE(mlir::succeeded(programs));
    return mlir::succeeded(programs) ? std::move(*programs) : OraclePrograms();
  }

  Verdict judge(OraclePrograms programs, const Program &candidate,
                const JudgeOptions &judgeOptions = {}) {
    llvm::Expected<std::unique_ptr<Judge>> made =
        Judge::create(*device, std::move(programs));
    if (!made) {
      ADD_FAILURE() << llvm::toString(made.takeError());
      return {};
    }
    llvm::Expected<Verdict> verdict = (*made)->judge(candidate, judgeOptions);
    if (!verdict) {
      ADD_FAILURE() << llvm::toString(verdict.takeError());
      return {};
    }
    return *verdict;
  }

  mlir::MLIRContext context;
  LoweringOptions options;
  std::unique_ptr<Device> device;
};

// A softmax-like chain with a fill, a maximum, a sum, and an integer result.
constexpr llvm::StringLiteral kRows = R"(
func.func @forward(%x: tensor<6x200xf32>) -> (tensor<6x200xf32>, tensor<6xi64>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty() : tensor<6x200xf32>
  %s = tensor.empty() : tensor<6xf32>
  %i = tensor.empty() : tensor<6xi64>
  %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<6xf32>) -> tensor<6xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%s : tensor<6xf32>) -> tensor<6xf32>
  %i0 = linalg.fill ins(%none : i64) outs(%i : tensor<6xi64>) -> tensor<6xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x200xf32>) outs(%m0, %i0 : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%a: f32, %b: f32, %k: i64):
    %j = linalg.index 1 : index
    %j64 = arith.index_cast %j : index to i64
    %p = arith.cmpf ogt, %a, %b : f32
    %u = arith.maximumf %a, %b : f32
    %v = arith.select %p, %j64, %k : i64
    linalg.yield %u, %v : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m#0 : tensor<6x200xf32>, tensor<6xf32>) outs(%e : tensor<6x200xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %u = arith.subf %a, %b : f32
    %v = math.exp %u : f32
    linalg.yield %v : f32
  } -> tensor<6x200xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<6x200xf32>) outs(%s0 : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %u = arith.addf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%d, %t : tensor<6x200xf32>, tensor<6xf32>) outs(%e : tensor<6x200xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %u = arith.divf %a, %b : f32
    linalg.yield %u : f32
  } -> tensor<6x200xf32>
  return %r, %m#1 : tensor<6x200xf32>, tensor<6xi64>
}
)";

constexpr llvm::StringLiteral kKernel = R"(
gpu.module @m {
  gpu.func @scale(%x: memref<1000xf32> {kernelskill.argument = #kernelskill.argument<"x", input, normal>}, %y: memref<1000xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %n = arith.constant 1000 : index
    %c128 = arith.constant 128 : index
    %c = arith.constant 1.5 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %f = arith.muli %b, %c128 : index
    %i = arith.addi %f, %t : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %v = memref.load %x[%i] : memref<1000xf32>
      %w = arith.mulf %v, %v : f32
      %u = arith.addf %w, %c : f32
      memref.store %u, %y[%i] : memref<1000xf32>
    }
    gpu.return
  }
}
)";

} // namespace

TEST_F(JudgeTest, YardstickIsRight) {
  OraclePrograms programs = oracleOf(kRows);
  Program plain = programs.plain;
  Verdict verdict = judge(std::move(programs), plain);
  EXPECT_TRUE(verdict.right()) << verdict.cause << ": " << verdict.message;
  EXPECT_FALSE(verdict.vacuous);
  // Two outputs, two drawn seeds and five families.
  EXPECT_EQ(verdict.measures.size(), 14u);
  for (const MeasureRecord &measure : verdict.measures) {
    if (measure.output != 0)
      continue;
    // Its own measure, or what it loses of a typical element's scale.
    EXPECT_LE(measure.normwise, measure.plainNormwise);
    // The error scale bounds what the yardstick loses.
    EXPECT_LE(measure.plainComponentwise, 2) << measure.family;
    EXPECT_GT(measure.plainNormwise, 0) << measure.family;
  }
}

TEST_F(JudgeTest, KernelPayloadJudgesItself) {
  OraclePrograms programs = oracleOf(kKernel);
  EXPECT_FALSE(programs.scaled);
  ASSERT_EQ(outputsOf(programs.plain).size(), 1u);
  Program plain = programs.plain;
  Verdict verdict = judge(std::move(programs), plain);
  EXPECT_TRUE(verdict.right()) << verdict.cause << ": " << verdict.message;
  EXPECT_EQ(verdict.measures.size(), 7u);
}

TEST_F(JudgeTest, RefusesAnotherProgram) {
  OraclePrograms programs = oracleOf(kRows);
  Program other = oracleOf(kKernel).plain;
  Verdict verdict = judge(std::move(programs), other);
  EXPECT_EQ(verdict.kind, VerdictKind::Refused);
  EXPECT_EQ(verdict.message, "the payload has 1 arguments, the candidate 2");
}

TEST_F(JudgeTest, UnknownFamilyAndClassAreErrors) {
  OraclePrograms programs = oracleOf(kKernel);
  Program plain = programs.plain;
  llvm::Expected<std::unique_ptr<Judge>> made =
      Judge::create(*device, std::move(programs));
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  JudgeOptions wrong;
  wrong.families = {"gaussian"};
  llvm::Expected<Verdict> verdict = (*made)->judge(plain, wrong);
  ASSERT_FALSE(bool(verdict));
  EXPECT_EQ(llvm::toString(verdict.takeError()),
            "unknown family of inputs 'gaussian'");
  wrong = JudgeOptions();
  wrong.numerics = "exact";
  verdict = (*made)->judge(plain, wrong);
  ASSERT_FALSE(bool(verdict));
  llvm::consumeError(verdict.takeError());
}

// Elements of 16 bits: the payload's own yardstick is right, another constant
// is wrong, for floats in the roundoffs of their type and for integers exactly.
TEST_F(JudgeTest, JudgesSixteenBits) {
  auto text = [](llvm::StringRef type, llvm::StringRef factor,
                 llvm::StringRef step) {
    return llvm::formatv(R"(
func.func @forward(%x: tensor<9x300x{0}>, %n: tensor<50xi16> {{kernelskill.argument = #kernelskill.argument<"n", input, integer, scale = 300.0>}) -> (tensor<9x{0}>, tensor<50xi16>) {{
  %zero = arith.constant 0.0 : {0}
  %factor = arith.constant {1} : {0}
  %step = arith.constant {2} : i16
  %e = tensor.empty() : tensor<9x{0}>
  %i = tensor.empty() : tensor<50xi16>
  %f = linalg.fill ins(%zero : {0}) outs(%e : tensor<9x{0}>) -> tensor<9x{0}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x300x{0}>) outs(%f : tensor<9x{0}>) {{
  ^bb0(%a: {0}, %s: {0}):
    %p = arith.mulf %a, %factor : {0}
    %t = arith.addf %s, %p : {0}
    linalg.yield %t : {0}
  } -> tensor<9x{0}>
  %k = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%n : tensor<50xi16>) outs(%i : tensor<50xi16>) {{
  ^bb0(%a: i16, %o: i16):
    %m = arith.addi %a, %step : i16
    linalg.yield %m : i16
  } -> tensor<50xi16>
  return %r, %k : tensor<9x{0}>, tensor<50xi16>
}
)",
                         type, factor, step)
        .str();
  };
  for (llvm::StringRef type : {"f16", "bf16"}) {
    OraclePrograms programs = oracleOf(text(type, "1.5", "3"));
    Program plain = programs.plain;
    EXPECT_TRUE(judge(programs, plain).right()) << type.str();
    Verdict verdict = judge(programs, oracleOf(text(type, "1.75", "3")).plain);
    EXPECT_EQ(verdict.kind, VerdictKind::Wrong) << type.str();
    EXPECT_EQ(verdict.worst->output, 0u);
    verdict = judge(programs, oracleOf(text(type, "1.5", "4")).plain);
    EXPECT_EQ(verdict.kind, VerdictKind::Wrong) << type.str();
    EXPECT_EQ(verdict.worst->output, 1u);
    EXPECT_EQ(verdict.worst->got, verdict.worst->expected + 1);
  }
}

// Sums of the same three numbers in two orders are equal but for rounding:
// which of them is the greater is for the candidate to say, where it takes the
// last of equals as much as where it takes the first. Which one is greater by
// more than rounding is not; nor is it among numbers that are given.
TEST_F(JudgeTest, TakesEitherOfWhatRoundingCanTurnOver) {
  auto text = [](llvm::StringRef compare, llvm::StringRef scale,
                 bool computed) {
    return llvm::formatv(
               R"(
#whole = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @forward(%x: tensor<500x3xf32>) -> (tensor<500x1xi64>, tensor<500xi1>) {{
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %scale = arith.constant {1} : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<500x4xf32>
  %m = tensor.empty() : tensor<500xf32>
  %k = tensor.empty() : tensor<500xi64>
  %t = tensor.empty() : tensor<500xi1>
  %m0 = linalg.fill ins(%low : f32) outs(%m : tensor<500xf32>) -> tensor<500xf32>
  %k0 = linalg.fill ins(%none : i64) outs(%k : tensor<500xi64>) -> tensor<500xi64>
  %s = linalg.generic {{indexing_maps = [#whole], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<500x4xf32>) {{
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %x[%i, %c0] : tensor<500x3xf32>
    %b = tensor.extract %x[%i, %c1] : tensor<500x3xf32>
    %c = tensor.extract %x[%i, %c2] : tensor<500x3xf32>
    %ab = arith.addf %a, %b : f32
    %l = arith.addf %ab, %c : f32
    %bc = arith.addf %b, %c : f32
    %r = arith.addf %bc, %a : f32
    %first = arith.cmpi ule, %j, %c0 : index
    %second = arith.cmpi eq, %j, %c1 : index
    %small = arith.mulf %r, %scale : f32
    %v0 = arith.select %second, %r, %small : f32
    %v = arith.select %first, {2}, %v0 : f32
    linalg.yield %v : f32
  } -> tensor<500x4xf32>
  %g:2 = linalg.generic {{indexing_maps = [#whole, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<500x4xf32>) outs(%m0, %k0 : tensor<500xf32>, tensor<500xi64>) {{
  ^bb0(%a: f32, %b: f32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %p = arith.cmpf {0}, %a, %b : f32
    %u = arith.maximumf %a, %b : f32
    %v = arith.select %p, %here, %at : i64
    linalg.yield %u, %v : f32, i64
  } -> (tensor<500xf32>, tensor<500xi64>)
  %q = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%t : tensor<500xi1>) {{
  ^bb0(%o: i1):
    %i = linalg.index 0 : index
    %a = tensor.extract %s[%i, %c0] : tensor<500x4xf32>
    %b = tensor.extract %s[%i, %c1] : tensor<500x4xf32>
    %p = arith.cmpf {0}, %a, %b : f32
    linalg.yield %p : i1
  } -> tensor<500xi1>
  %z = tensor.expand_shape %g#1 [[0, 1]] output_shape [500, 1] : tensor<500xi64> into tensor<500x1xi64>
  return %z, %q : tensor<500x1xi64>, tensor<500xi1>
}
)",
               compare, scale, computed ? "%l" : "%a")
        .str();
  };
  JudgeOptions finite;
  finite.families = {"normal", "positive"};
  OraclePrograms programs = oracleOf(text("ogt", "0.9", true));
  auto verdict = [&](const std::string &candidate) {
    return judge(programs, oracleOf(candidate).plain, finite);
  };
  EXPECT_TRUE(verdict(text("oge", "0.9", true)).right());
  EXPECT_FALSE(verdict(text("oge", "1.1", true)).right());
  EXPECT_FALSE(verdict(text("olt", "0.9", true)).right());
  EXPECT_FALSE(verdict(text("oge", "0.9", false)).right());
}

// Too slow an oracle: the first two families are judged, the others listed, for
// every candidate alike, though references are kept by then.
TEST_F(JudgeTest, LeavesFamiliesOutByTheFirstReference) {
  OraclePrograms programs = oracleOf(kRows);
  Program plain = programs.plain;
  llvm::Expected<std::unique_ptr<Judge>> made =
      Judge::create(*device, std::move(programs));
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  JudgeOptions hurried;
  hurried.referenceSeconds = 0;
  for (int candidate = 0; candidate < 2; ++candidate) {
    llvm::Expected<Verdict> verdict = (*made)->judge(plain, hurried);
    ASSERT_TRUE(bool(verdict)) << llvm::toString(verdict.takeError());
    EXPECT_TRUE(verdict->right()) << verdict->message;
    EXPECT_EQ(verdict->leftOut,
              (std::vector<std::string>{"special", "edge", "heavy", "positive",
                                        "drawn"}));
    ASSERT_EQ(verdict->measures.size(), 4u); // two outputs, two families
    EXPECT_EQ(verdict->measures[0].family, "drawn");
    EXPECT_EQ(verdict->measures[2].family, "normal");
  }
}

TEST_F(JudgeTest, DrawsTheSameForTheSameSeed) {
  OraclePrograms programs = oracleOf(kKernel);
  Program plain = programs.plain;
  llvm::Expected<std::unique_ptr<Judge>> made =
      Judge::create(*device, std::move(programs));
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  auto values = [&](llvm::StringRef family, uint64_t seed) {
    std::vector<float> read(1000);
    llvm::Expected<Judge::Arguments> drawn = (*made)->draw(plain, family, seed);
    if (!drawn) {
      ADD_FAILURE() << llvm::toString(drawn.takeError());
      return read;
    }
    llvm::cantFail(
        device->copyFromDevice(read.data(), drawn->arguments[0], 4000));
    for (DeviceAddress address : drawn->arguments)
      device->release(address);
    return read;
  };
  EXPECT_EQ(values("normal", 1), values("normal", 1));
  EXPECT_NE(values("normal", 1), values("normal", 2));
  double sum = 0, square = 0;
  for (float value : values("normal", 3)) {
    sum += value;
    square += double(value) * value;
  }
  EXPECT_NEAR(sum / 1000, 0, 0.15);
  EXPECT_NEAR(square / 1000, 1, 0.15);
  for (float value : values("positive", 3))
    EXPECT_TRUE(value >= 0 && value < 1) << value;
}

TEST_F(JudgeTest, DrawsMasksAlikeInAllFamilies) {
  OraclePrograms programs = oracleOf(kKernel);
  Program &judged = programs.plain;
  BufferRecord &mask =
      judged.buffers[judged.buffersOf(BufferKind::Argument)[0]];
  mask.role = "random";
  mask.draw = {"dropout", 1.25, 0};
  Program plain = judged;
  llvm::Expected<std::unique_ptr<Judge>> made =
      Judge::create(*device, std::move(programs));
  ASSERT_TRUE(bool(made)) << llvm::toString(made.takeError());
  for (llvm::StringRef family : {"drawn", "heavy"}) {
    std::vector<float> read(1000);
    llvm::Expected<Judge::Arguments> drawn = (*made)->draw(plain, family, 1);
    ASSERT_TRUE(bool(drawn)) << llvm::toString(drawn.takeError());
    llvm::cantFail(
        device->copyFromDevice(read.data(), drawn->arguments[0], 4000));
    for (DeviceAddress address : drawn->arguments)
      device->release(address);
    EXPECT_NEAR(llvm::count(read, 1.25f), 800, 60);
    EXPECT_EQ(llvm::count(read, 1.25f) + llvm::count(read, 0.0f), 1000);
  }
}
