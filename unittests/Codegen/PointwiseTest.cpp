// Elementwise kernels against plain loops, over odd sizes and all knobs.
#include "StrategyRunner.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace kernelskill;

namespace {
struct PointwiseTest : testing::Test {
  StrategyRunner runner;

  static std::string knobs(int64_t width, int64_t block, int64_t items) {
    return strategy("pointwise", {{"vector_width", width},
                                  {"block_size", block},
                                  {"items_per_thread", items}});
  }
};

/// x * x + x over one loop.
std::string polynomial(llvm::StringRef type, bool isFloat) {
  const char *text = R"(
func.func private @d(%x: {0}) -> {0} {{
  %e = tensor.empty() : {0}
  %0 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : {0}) outs(%e : {0}) {{
  ^bb0(%a: {2}, %o: {2}):
    %m = arith.mul{1} %a, %a : {2}
    %s = arith.add{1} %m, %a : {2}
    linalg.yield %s : {2}
  } -> {0}
  return %0 : {0}
})";
  llvm::StringRef element = type.rsplit('x').second.drop_back();
  return llvm::formatv(text, type, isFloat ? "f" : "i", element);
}
} // namespace

TEST_F(PointwiseTest, OddSizesAndKnobs) {
  struct {
    int64_t size, width, block, items;
  } cases[] = {{1, 1, 32, 1},    {7, 4, 32, 2},     {31, 2, 64, 1},
               {33, 1, 32, 3},   {127, 4, 32, 1},   {1000, 4, 64, 2},
               {4095, 8, 32, 4}, {4096, 4, 256, 4}, {4095, 4, 1024, 1}};
  for (auto [size, width, block, items] : cases) {
    SCOPED_TRACE(llvm::formatv("size {0}, width {1}, block {2}, items {3}",
                               size, width, block, items)
                     .str());
    TestTensor x = drawn({size}, "f32");
    std::vector<double> y = runner.run(polynomial(x.type, true),
                                       knobs(width, block, items), {x}, x.type);
    ASSERT_EQ(y.size(), x.values.size());
    for (int64_t i = 0; i < size; ++i)
      ASSERT_EQ(y[i], x.values[i] * x.values[i] + x.values[i]) << "at " << i;
  }
}

TEST_F(PointwiseTest, ElementTypes) {
  for (const char *element : {"f64", "f16", "bf16", "i8", "i32", "i64"}) {
    SCOPED_TRACE(element);
    TestTensor x = drawn({133}, element);
    for (std::string how : {strategy("default_strategy"), knobs(8, 32, 1)}) {
      std::vector<double> y =
          runner.run(polynomial(x.type, element[0] != 'i'), how, {x}, x.type);
      ASSERT_EQ(y.size(), x.values.size());
      for (size_t i = 0; i < y.size(); ++i)
        ASSERT_EQ(y[i], x.values[i] * x.values[i] + x.values[i]) << "at " << i;
    }
  }
}

TEST_F(PointwiseTest, BroadcastTransposeIndexAndBooleans) {
  const char *function = R"(
#id = affine_map<(i, j) -> (i, j)>
func.func private @d(%c: tensor<33xf32>, %r: tensor<28xf32>, %s: tensor<f32>, %t: tensor<28x33xf32>) -> tensor<33x28xi1> {
  %e = tensor.empty() : tensor<33x28xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>,
      affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %r, %s, %t : tensor<33xf32>, tensor<28xf32>, tensor<f32>, tensor<28x33xf32>) outs(%e : tensor<33x28xi1>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %o: i1):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %l = arith.sitofp %k : i32 to f32
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %0, %d : f32
    %2 = arith.addf %1, %f : f32
    %3 = arith.cmpf olt, %2, %l : f32
    linalg.yield %3 : i1
  } -> tensor<33x28xi1>
  return %0 : tensor<33x28xi1>
})";
  TestTensor c = drawn({33}, "f32", 1), r = drawn({28}, "f32", 2);
  TestTensor s = drawn({}, "f32", 3), t = drawn({28, 33}, "f32", 4);
  for (std::string how :
       {strategy("default_strategy"), knobs(4, 32, 2), knobs(2, 64, 1)}) {
    std::vector<double> y =
        runner.run(function, how, {c, r, s, t}, "tensor<33x28xi1>");
    ASSERT_EQ(y.size(), 33u * 28u);
    for (int i = 0; i < 33; ++i)
      for (int j = 0; j < 28; ++j) {
        double value =
            (c.values[i] + r.values[j]) * s.values[0] + t.values[j * 33 + i];
        ASSERT_EQ(y[i * 28 + j] != 0, value < j) << "at " << i << ", " << j;
      }
  }
}
