// What a fingerprint depends on, and what it does not.
#include "KernelSkill/Graph/Fingerprint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

class FingerprintTest : public ::testing::Test {
protected:
  FingerprintTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect>();
  }
  std::string fingerprint(llvm::StringRef text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module ? kernelskill::fingerprintOf(*module) : "";
  }
  MLIRContext context;
};

constexpr llvm::StringLiteral kBase = R"(
  func.func @f(%x: f32) -> f32 {
    %c = arith.constant 2.0 : f32
    %0 = arith.mulf %x, %c : f32
    return %0 : f32
  })";

TEST_F(FingerprintTest, IsSixteenHexadecimalDigits) {
  std::string text = fingerprint(kBase);
  EXPECT_EQ(text.size(), 16u);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
}

// The value is stored in recipes and memories: a change of it here breaks them.
TEST_F(FingerprintTest, IsTheSameInEveryRun) {
  EXPECT_EQ(fingerprint(kBase), "00557a7c7bdaac49");
}

TEST_F(FingerprintTest, IgnoresNamesAndLocations) {
  EXPECT_EQ(fingerprint(kBase), fingerprint(R"(
    func.func @other(%input: f32) -> f32 {
      %two = arith.constant 2.0 : f32
      %product = arith.mulf %input, %two : f32 loc("somewhere")
      return %product : f32
    })"));
}

TEST_F(FingerprintTest, SeesOperationsConstantsTypesAndOperandOrder) {
  std::string base = fingerprint(kBase);
  EXPECT_NE(base, fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %c = arith.constant 3.0 : f32
      %0 = arith.mulf %x, %c : f32
      return %0 : f32
    })"));
  EXPECT_NE(base, fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %c = arith.constant 2.0 : f32
      %0 = arith.divf %x, %c : f32
      return %0 : f32
    })"));
  EXPECT_NE(base, fingerprint(R"(
    func.func @f(%x: f64) -> f64 {
      %c = arith.constant 2.0 : f64
      %0 = arith.mulf %x, %c : f64
      return %0 : f64
    })"));
  EXPECT_NE(base, fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %c = arith.constant 2.0 : f32
      %0 = arith.mulf %c, %x : f32
      return %0 : f32
    })"));
}

TEST_F(FingerprintTest, IgnoresTheOrderOfFunctionsAndSeesThroughCalls) {
  std::string base = fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %0 = call @square(%x) : (f32) -> f32
      return %0 : f32
    }
    func.func private @square(%x: f32) -> f32 {
      %0 = arith.mulf %x, %x : f32
      return %0 : f32
    })");
  EXPECT_EQ(base, fingerprint(R"(
    func.func private @power(%x: f32) -> f32 {
      %0 = arith.mulf %x, %x : f32
      return %0 : f32
    }
    func.func @f(%x: f32) -> f32 {
      %0 = call @power(%x) : (f32) -> f32
      return %0 : f32
    })"));
  EXPECT_NE(base, fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %0 = call @square(%x) : (f32) -> f32
      return %0 : f32
    }
    func.func private @square(%x: f32) -> f32 {
      %0 = arith.addf %x, %x : f32
      return %0 : f32
    })"));
}

TEST_F(FingerprintTest, EndsOnRecursion) {
  EXPECT_EQ(fingerprint(R"(
    func.func @f(%x: f32) -> f32 {
      %0 = call @f(%x) : (f32) -> f32
      return %0 : f32
    })")
                .size(),
            16u);
}

TEST_F(FingerprintTest, SeesEveryElementOfALargeConstant) {
  auto withLast = [&](llvm::StringRef last) {
    std::string values;
    for (int i = 0; i < 4000; ++i)
      values += "1, ";
    return fingerprint("func.func @f() -> tensor<4001xi32> {\n"
                       "%0 = arith.constant dense<[" +
                       values + last.str() +
                       "]> : tensor<4001xi32>\n"
                       "return %0 : tensor<4001xi32>\n}");
  };
  EXPECT_EQ(withLast("5"), withLast("5"));
  EXPECT_NE(withLast("5"), withLast("6"));
}

} // namespace
