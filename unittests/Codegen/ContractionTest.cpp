// Contraction kernels against plain loops: sizes that fit no tile, operands in
// any order of dimensions, batches, epilogues, all knobs.
#include "StrategyRunner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>

using namespace kernelskill;

namespace {
/// A contraction in Einstein's notation: a letter a loop.
struct Einsum {
  std::string a, b, c;
  std::map<char, int64_t> sizes;

  std::string loops() const {
    std::string all = c;
    for (char letter : a)
      if (!llvm::StringRef(all).contains(letter))
        all += letter;
    return all;
  }
  std::vector<int64_t> shape(const std::string &operand) const {
    std::vector<int64_t> shape;
    for (char letter : operand)
      shape.push_back(sizes.at(letter));
    return shape;
  }
  static std::string letters(const std::string &operand) {
    std::string list;
    for (char letter : operand)
      list += (list.empty() ? "" : ", ") + std::string(1, letter);
    return "(" + list + ")";
  }
  std::string map(const std::string &operand) const {
    return "affine_map<" + letters(loops()) + " -> " + letters(operand) + ">";
  }
};

enum class End { Plain, BiasRelu, Accumulate };

struct ContractionTest : testing::Test {
  StrategyRunner runner;

  static std::string knobs(int64_t tileM, int64_t tileN, int64_t tileK,
                           int64_t threadM, int64_t threadN, int64_t stages,
                           int64_t group, int64_t chain) {
    return strategy("contraction", {{"tile_m", tileM},
                                    {"tile_n", tileN},
                                    {"tile_k", tileK},
                                    {"thread_m", threadM},
                                    {"thread_n", threadN},
                                    {"stages", stages},
                                    {"group", group},
                                    {"chain", chain},
                                    {"min_blocks", 1}});
  }
  /// Small, so that many blocks are cheap to run.
  static std::string small() { return knobs(32, 32, 8, 4, 4, 2, 2, 16); }

  void check(const Einsum &einsum, const std::string &how,
             End end = End::Plain);
};

std::string text(const Einsum &einsum, End end) {
  std::string loops = einsum.loops(), kinds, identity = einsum.c;
  for (char letter : loops)
    kinds += std::string(kinds.empty() ? "" : ", ") +
             (llvm::StringRef(einsum.c).contains(letter) ? "\"parallel\""
                                                         : "\"reduction\"");
  std::string a = tensorType(einsum.shape(einsum.a), "f32");
  std::string b = tensorType(einsum.shape(einsum.b), "f32");
  std::string c = tensorType(einsum.shape(einsum.c), "f32");
  std::string bias = tensorType({einsum.sizes.at(einsum.c.back())}, "f32");
  std::string third = end == End::BiasRelu     ? ", %t: " + bias
                      : end == End::Accumulate ? ", %t: " + c
                                               : "";
  std::string body = llvm::formatv(
      "func.func private @d(%a: {0}, %b: {1}{3}) -> {2} {{\n"
      "%z = arith.constant 0.0 : f32\n%e = tensor.empty() : {2}\n"
      "%i = linalg.fill ins(%z : f32) outs(%e : {2}) -> {2}\n"
      "%r = linalg.generic {{indexing_maps = [{4}, {5}, {6}], iterator_types "
      "= [{7}]} ins(%a, %b : {0}, {1}) outs({8} : {2}) {{\n"
      "^bb0(%p: f32, %q: f32, %s: f32):\n%1 = arith.mulf %p, %q : f32\n"
      "%2 = arith.addf %s, %1 : f32\nlinalg.yield %2 : f32\n} -> {2}\n",
      a, b, c, third, einsum.map(einsum.a), einsum.map(einsum.b),
      einsum.map(einsum.c), kinds, end == End::Accumulate ? "%t" : "%i");
  if (end != End::BiasRelu)
    return body + "return %r : " + c + "\n}\n";
  Einsum last{einsum.c, "", einsum.c, einsum.sizes};
  std::string parallel;
  for (size_t i = 0; i < einsum.c.size(); ++i)
    parallel += std::string(i ? ", " : "") + "\"parallel\"";
  return body +
         llvm::formatv(
             "%l = linalg.generic {{indexing_maps = [{0}, {1}, {0}], "
             "iterator_types = [{2}]} ins(%r, %t : {3}, {4}) outs(%e : {3}) "
             "{{\n"
             "^bb0(%p: f32, %q: f32, %s: f32):\n"
             "%1 = arith.addf %p, %q : f32\n%k = arith.constant 0.0 : f32\n"
             "%2 = arith.maximumf %1, %k : f32\nlinalg.yield %2 : f32\n} -> "
             "{3}\nreturn %l : {3}\n}\n",
             last.map(einsum.c), last.map(std::string(1, einsum.c.back())),
             parallel, c, bias)
             .str();
}

/// The row-major position of an operand's element at these loop values.
int64_t position(const Einsum &einsum, const std::string &operand,
                 const std::map<char, int64_t> &at) {
  int64_t position = 0;
  for (char letter : operand)
    position = position * einsum.sizes.at(letter) + at.at(letter);
  return position;
}

void ContractionTest::check(const Einsum &einsum, const std::string &how,
                            End end) {
  TestTensor a = drawn(einsum.shape(einsum.a), "f32", 1);
  TestTensor b = drawn(einsum.shape(einsum.b), "f32", 2);
  TestTensor c = drawn(einsum.shape(einsum.c), "f32", 3);
  TestTensor bias = drawn({einsum.sizes.at(einsum.c.back())}, "f32", 4);
  std::vector<TestTensor> inputs = {a, b};
  if (end == End::BiasRelu)
    inputs.push_back(bias);
  if (end == End::Accumulate)
    inputs.push_back(c);
  std::vector<double> got = runner.run(text(einsum, end), how, inputs, c.type);

  std::vector<double> wanted(c.values.size(), 0);
  if (end == End::Accumulate)
    wanted = c.values;
  std::string loops = einsum.loops();
  std::map<char, int64_t> at;
  for (char letter : loops)
    at[letter] = 0;
  for (bool more = true; more;) {
    wanted[position(einsum, einsum.c, at)] +=
        a.values[position(einsum, einsum.a, at)] *
        b.values[position(einsum, einsum.b, at)];
    more = false;
    for (size_t i = loops.size(); i-- > 0 && !more;) {
      more = ++at[loops[i]] < einsum.sizes.at(loops[i]);
      if (!more)
        at[loops[i]] = 0;
    }
  }
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (end == End::BiasRelu)
      wanted[i] =
          std::max(0.0, wanted[i] + bias.values[i % bias.values.size()]);
    ASSERT_EQ(got[i], wanted[i]) << "at " << i;
  }
}
} // namespace

TEST_F(ContractionTest, Sizes) {
  struct {
    int64_t m, n, k;
  } sizes[] = {{1, 1, 1},    {7, 7, 7},    {31, 31, 31}, {64, 64, 64},
               {129, 33, 7}, {33, 129, 9}, {1, 64, 129}, {64, 1, 65},
               {32, 36, 24}, {5, 66, 130}};
  for (auto [m, n, k] : sizes) {
    SCOPED_TRACE(llvm::formatv("{0} x {1} x {2}", m, n, k).str());
    check({"mk", "kn", "mn", {{'m', m}, {'n', n}, {'k', k}}}, small());
  }
}

TEST_F(ContractionTest, OrdersOfDimensions) {
  for (auto [m, n, k] :
       {std::make_tuple(36, 44, 20), std::make_tuple(35, 7, 19)})
    for (const char *a : {"mk", "km"})
      for (const char *b : {"kn", "nk"})
        for (const char *c : {"mn", "nm"}) {
          SCOPED_TRACE(
              llvm::formatv("{0},{1}->{2} {3} x {4} x {5}", a, b, c, m, n, k)
                  .str());
          check({a, b, c, {{'m', m}, {'n', n}, {'k', k}}}, small());
        }
}

TEST_F(ContractionTest, BatchesAndManyDimensions) {
  std::map<char, int64_t> sizes = {{'b', 3}, {'m', 33}, {'n', 12}, {'k', 17},
                                   {'i', 2}, {'j', 5},  {'l', 3}};
  struct {
    const char *a, *b, *c;
  } cases[] = {{"bmk", "bkn", "bmn"}, // a batch
               {"mbk", "bnk", "mbn"}, // … in the middle
               {"mkb", "knb", "mnb"}, // … innermost: nothing lies along n
               {"bmk", "kn", "bmn"},  // b and m are one axis
               {"bmk", "kn", "nbm"},
               {"mkl", "nlk", "mn"},   // two sums, in different orders
               {"imjk", "kn", "jimn"}, // rows that are not evenly spaced
               {"mk", "ikjn", "imnj"}};
  for (auto [a, b, c] : cases) {
    SCOPED_TRACE(llvm::formatv("{0},{1}->{2}", a, b, c).str());
    check({a, b, c, sizes}, small());
  }
}

TEST_F(ContractionTest, Ends) {
  for (End end : {End::BiasRelu, End::Accumulate})
    for (auto [m, n, k] :
         {std::make_tuple(40, 64, 24), std::make_tuple(33, 35, 21)}) {
      SCOPED_TRACE(
          llvm::formatv("end {0}, {1} x {2} x {3}", int(end), m, n, k).str());
      check({"mk", "kn", "mn", {{'m', m}, {'n', n}, {'k', k}}}, small(), end);
      check({"bmk", "bkn", "bmn", {{'b', 2}, {'m', m}, {'n', n}, {'k', k}}},
            small(), end);
    }
}

TEST_F(ContractionTest, Knobs) {
  std::string all[] = {
      knobs(128, 64, 16, 8, 8, 2, 8, 256), // the default
      knobs(128, 128, 16, 8, 8, 2, 8, 32), knobs(64, 64, 8, 8, 8, 1, 1, 8),
      knobs(16, 32, 4, 2, 4, 2, 3, 4),     knobs(32, 16, 32, 4, 2, 1, 2, 1024),
      knobs(8, 8, 8, 1, 2, 2, 1, 8),       knobs(32, 64, 16, 16, 4, 2, 2, 48)};
  for (const std::string &how : all)
    for (auto [m, n, k] :
         {std::make_tuple(128, 128, 64), std::make_tuple(131, 70, 83)}) {
      SCOPED_TRACE(llvm::formatv("{0} x {1} x {2}\n{3}", m, n, k, how).str());
      check({"mk", "kn", "mn", {{'m', m}, {'n', n}, {'k', k}}}, how);
    }
}
