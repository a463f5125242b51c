// Reduction kernels against plain loops, over odd sizes and all knobs.
#include "StrategyRunner.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace kernelskill;

namespace {
struct ReductionKnobs {
  int64_t block, lanes, width, unroll, split;
};

/// Reduces dimension 1 of a three-dimensional tensor, with an epilogue that
/// adds a tensor.
std::string middle(const std::string &in, const std::string &out,
                   llvm::StringRef element, llvm::StringRef combine,
                   llvm::StringRef start) {
  const char *text = R"(
#id = affine_map<(b, n) -> (b, n)>
func.func private @d(%x: {0}, %y: {1}) -> {1} {{
  %z = arith.constant {4} : {2}
  %e = tensor.empty() : {1}
  %i = linalg.fill ins(%z : {2}) outs(%e : {1}) -> {1}
  %r = linalg.generic {{indexing_maps = [affine_map<(b, k, n) -> (b, k, n)>, affine_map<(b, k, n) -> (b, n)>],
      iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : {0}) outs(%i : {1}) {{
  ^bb0(%a: {2}, %o: {2}):
    %s = arith.{3} %a, %o : {2}
    linalg.yield %s : {2}
  } -> {1}
  %0 = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r, %y : {1}, {1}) outs(%e : {1}) {{
  ^bb0(%a: {2}, %b: {2}, %o: {2}):
    %s = arith.add{5} %a, %b : {2}
    linalg.yield %s : {2}
  } -> {1}
  return %0 : {1}
})";
  return llvm::formatv(text, in, out, element, combine, start,
                       element[0] == 'i' ? "i" : "f");
}

struct ReductionTest : testing::Test {
  StrategyRunner runner;

  static std::string knobs(ReductionKnobs k) {
    return strategy("reduction", {{"block_size", k.block},
                                  {"lanes", k.lanes},
                                  {"vector_width", k.width},
                                  {"unroll", k.unroll},
                                  {"split", k.split}});
  }

  /// Checks a sum or maximum over the middle of batch × length × inner.
  void check(int64_t batch, int64_t length, int64_t inner,
             const std::string &how, std::string element = "f32",
             bool maximum = false) {
    SCOPED_TRACE(llvm::formatv("{0} x {1} x {2} {3}, {4}", batch, length, inner,
                               element, how)
                     .str());
    TestTensor x = drawn({batch, length, inner}, element, 1);
    TestTensor y = drawn({batch, inner}, element, 2);
    bool integer = element[0] == 'i';
    std::vector<double> result =
        runner.run(middle(x.type, y.type, element,
                          maximum ? (integer ? "maxsi" : "maximumf")
                                  : (integer ? "addi" : "addf"),
                          maximum ? (integer ? "-128" : "-1000.0")
                                  : (integer ? "0" : "0.0")),
                   how, {x, y}, y.type);
    ASSERT_EQ(result.size(), y.values.size());
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t n = 0; n < inner; ++n) {
        double sum = maximum ? -1000 : 0;
        for (int64_t k = 0; k < length; ++k) {
          double value = x.values[(b * length + k) * inner + n];
          sum = maximum ? std::max(sum, value) : sum + value;
        }
        ASSERT_EQ(result[b * inner + n], sum + y.values[b * inner + n])
            << "at " << b << ", " << n;
      }
  }
};
} // namespace

TEST_F(ReductionTest, MiddleAxis) {
  check(3, 127, 33, knobs({64, 1, 1, 8, 1}));
  check(2, 31, 127, knobs({64, 4, 1, 3, 1}));
  check(3, 1000, 7, knobs({256, 32, 1, 2, 1}));
  check(2, 127, 36, knobs({64, 2, 4, 2, 1}));
  check(2, 300, 33, knobs({64, 2, 1, 4, 5}));
  check(1, 400, 12, knobs({32, 1, 4, 2, 40}));
}

TEST_F(ReductionTest, Rows) {
  check(33, 1, 1, strategy("default_strategy"));
  check(33, 127, 1, knobs({64, 32, 1, 1, 1}));
  check(7, 1000, 1, knobs({256, 32, 4, 2, 1}));
  check(5, 4095, 1, knobs({256, 256, 1, 4, 1}));
  check(9, 4096, 1, knobs({128, 64, 4, 2, 3}));
  check(40, 31, 1, knobs({64, 8, 1, 2, 1}));
}

TEST_F(ReductionTest, Everything) {
  check(1, 4095, 1, knobs({64, 64, 4, 2, 7}));
  check(1, 33333, 1, knobs({64, 64, 4, 1, 33}));
  check(1, 1 << 18, 1, strategy("default_strategy"));
}

TEST_F(ReductionTest, ElementTypesAndMaxima) {
  for (const char *element : {"f64", "i32", "i64", "f16", "i8"})
    for (bool maximum : {false, true}) {
      // A sum of 200 such numbers is exact in f16; i8 holds only maxima.
      if (maximum || std::string(element) != "i8")
        check(2, 200, 1, knobs({64, 64, 2, 1, 1}), element, maximum);
      check(2, 20, 8, knobs({32, 2, 2, 1, 2}), element, maximum);
    }
}

TEST_F(ReductionTest, LongSumsDoNotDrift) {
  // 0.1 is not exact in f32: one chain of 2^18 additions is off by 2e-3.
  TestTensor x{tensorType({1, 1 << 18, 2}, "f32"),
               std::vector<double>(1 << 19, 0.1)};
  TestTensor y{tensorType({1, 2}, "f32"), {0, 0}};
  std::vector<double> result =
      runner.run(middle(x.type, y.type, "f32", "addf", "0.0"),
                 knobs({32, 1, 1, 1, 1}), {x, y}, y.type);
  ASSERT_EQ(result.size(), 2u);
  double exact = (1 << 18) * static_cast<double>(0.1f);
  EXPECT_NEAR(result[0] / exact, 1, 5e-6);
}

TEST_F(ReductionTest, ArgmaxRunsInOrder) {
  const char *function = R"(
#row = affine_map<(b, k) -> (b)>
func.func private @d(%x: tensor<5x100xf32>) -> tensor<5xi64> {
  %z = arith.constant 0xFF800000 : f32
  %n = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %g = tensor.empty() : tensor<5xi64>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %j = linalg.fill ins(%n : i64) outs(%g : tensor<5xi64>) -> tensor<5xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(b, k) -> (b, k)>, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x100xf32>) outs(%i, %j : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%a: f32, %o: f32, %p: i64):
    %k = linalg.index 1 : index
    %q = arith.index_cast %k : index to i64
    %c = arith.cmpf ogt, %a, %o : f32
    %v = arith.select %c, %a, %o : f32
    %w = arith.select %c, %q, %p : i64
    linalg.yield %v, %w : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %0#1 : tensor<5xi64>
})";
  TestTensor x = drawn({5, 100}, "f32");
  std::vector<double> y =
      runner.run(function, strategy("default_strategy"), {x}, "tensor<5xi64>");
  ASSERT_EQ(y.size(), 5u);
  for (int b = 0; b < 5; ++b) {
    auto row = x.values.begin() + b * 100;
    EXPECT_EQ(y[b], std::max_element(row, row + 100) - row);
  }
}
