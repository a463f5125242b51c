// The default strategy on products, windows, several results and given starts.
#include "StrategyRunner.h"

#include "gtest/gtest.h"

using namespace kernelskill;

TEST(DefaultStrategyTest, ProductWithPermutedResultAndEpilogue) {
  const char *function = R"(
#t = affine_map<(n, m) -> (n, m)>
func.func private @d(%x: tensor<17x131xf32>, %y: tensor<131x9xf32>, %b: tensor<17xf32>) -> tensor<9x17xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x17xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<17x131xf32>, tensor<131x9xf32>) outs(%i : tensor<9x17xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<9x17xf32>
  %0 = linalg.generic {indexing_maps = [#t, affine_map<(n, m) -> (m)>, #t], iterator_types = ["parallel", "parallel"]}
      ins(%r, %b : tensor<9x17xf32>, tensor<17xf32>) outs(%e : tensor<9x17xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<9x17xf32>
  return %0 : tensor<9x17xf32>
})";
  TestTensor x = drawn({17, 131}, "f32", 1), y = drawn({131, 9}, "f32", 2);
  TestTensor b = drawn({17}, "f32", 3);
  std::vector<double> result = StrategyRunner().run(
      function, strategy("default_strategy"), {x, y, b}, "tensor<9x17xf32>");
  ASSERT_EQ(result.size(), 9u * 17u);
  for (int n = 0; n < 9; ++n)
    for (int m = 0; m < 17; ++m) {
      double sum = b.values[m];
      for (int k = 0; k < 131; ++k)
        sum += x.values[m * 131 + k] * y.values[k * 9 + n];
      EXPECT_EQ(result[n * 17 + m], sum) << "at " << n << ", " << m;
    }
}

TEST(DefaultStrategyTest, Windows) {
  const char *function = R"(
func.func private @d(%x: tensor<3x40xf32>, %w: tensor<2x3x5xf32>) -> tensor<2x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(f, o, c, k) -> (c, o * 2 + k * 2)>, affine_map<(f, o, c, k) -> (f, c, k)>,
      affine_map<(f, o, c, k) -> (f, o)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x40xf32>, tensor<2x3x5xf32>) outs(%i : tensor<2x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x16xf32>
  return %0 : tensor<2x16xf32>
})";
  TestTensor x = drawn({3, 40}, "f32", 1), w = drawn({2, 3, 5}, "f32", 2);
  std::vector<double> result = StrategyRunner().run(
      function, strategy("default_strategy"), {x, w}, "tensor<2x16xf32>");
  ASSERT_EQ(result.size(), 32u);
  for (int f = 0; f < 2; ++f)
    for (int o = 0; o < 16; ++o) {
      double sum = 0;
      for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 5; ++k)
          sum +=
              x.values[c * 40 + o * 2 + k * 2] * w.values[(f * 3 + c) * 5 + k];
      EXPECT_EQ(result[f * 16 + o], sum) << "at " << f << ", " << o;
    }
}

// A sum from a given start and a minimum at once; with a split each has a
// temporary of its own.
TEST(DefaultStrategyTest, SeveralResultsAndGivenStarts) {
  const char *function = R"(
#in = affine_map<(b, k) -> (b, k)>
#row = affine_map<(b, k) -> (b)>
#id = affine_map<(b) -> (b)>
func.func private @d(%x: tensor<6x2000xf32>, %start: tensor<6xf32>) -> tensor<6xf32> {
  %z = arith.constant 1.0e9 : f32
  %e = tensor.empty() : tensor<6xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x2000xf32>) outs(%start, %i : tensor<6xf32>, tensor<6xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.addf %a, %o : f32
    %m = arith.minimumf %a, %p : f32
    linalg.yield %s, %m : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%r#0, %r#1 : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %k = arith.constant 100.0 : f32
    %t = arith.mulf %c, %k : f32
    %s = arith.addf %a, %t : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
})";
  TestTensor x = drawn({6, 2000}, "f32", 1), start = drawn({6}, "f32", 2);
  StrategyRunner runner;
  for (std::string how : {strategy("default_strategy"),
                          strategy("reduction", {{"block_size", 64},
                                                 {"lanes", 32},
                                                 {"vector_width", 4},
                                                 {"unroll", 2},
                                                 {"split", 3}})}) {
    std::vector<double> result =
        runner.run(function, how, {x, start}, start.type);
    ASSERT_EQ(result.size(), 6u);
    for (int b = 0; b < 6; ++b) {
      double sum = start.values[b], least = 1e9;
      for (int k = 0; k < 2000; ++k) {
        sum += x.values[b * 2000 + k];
        least = std::min(least, x.values[b * 2000 + k]);
      }
      EXPECT_EQ(result[b], sum + 100 * least) << "at " << b;
    }
  }
}
