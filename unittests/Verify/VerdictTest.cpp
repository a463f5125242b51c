// Verdicts survive JSON; broken JSON is an error that names the member.
#include "KernelSkill/Verify/Verdict.h"
#include "KernelSkill/Verify/Numerics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace kernelskill;

static Verdict example() {
  Verdict verdict;
  verdict.kind = VerdictKind::Wrong;
  verdict.cause = "single element";
  verdict.message = "one element";
  verdict.numerics = "fp32";
  MeasureRecord measure;
  measure.family = "heavy";
  measure.seed = 7;
  measure.output = 1;
  measure.normwise = 3.5;
  measure.componentwise = std::numeric_limits<double>::infinity();
  measure.plainNormwise = std::numeric_limits<double>::quiet_NaN();
  measure.mismatches = 12;
  measure.vacuous = true;
  verdict.measures.push_back(measure);
  WorstElement worst;
  worst.name = "result1";
  worst.index = uint64_t(1) << 40;
  worst.position = {3, 4};
  worst.got = -std::numeric_limits<double>::infinity();
  worst.expected = 0.25;
  verdict.worst = worst;
  verdict.deviceLost = true;
  verdict.leftOut = {"heavy", "positive"};
  return verdict;
}

TEST(Verdict, SurvivesJSON) {
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(example());
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  llvm::Expected<Verdict> back = verdictFromJSON(*parsed);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->kind, VerdictKind::Wrong);
  EXPECT_EQ(back->cause, "single element");
  ASSERT_EQ(back->measures.size(), 1u);
  EXPECT_EQ(back->measures[0].seed, 7u);
  EXPECT_TRUE(std::isinf(back->measures[0].componentwise));
  EXPECT_TRUE(std::isnan(back->measures[0].plainNormwise));
  EXPECT_EQ(back->measures[0].mismatches, 12u);
  EXPECT_TRUE(back->measures[0].vacuous);
  ASSERT_TRUE(back->worst.has_value());
  EXPECT_EQ(back->worst->index, uint64_t(1) << 40);
  EXPECT_EQ(back->worst->position, (std::vector<int64_t>{3, 4}));
  EXPECT_LT(back->worst->got, 0);
  EXPECT_TRUE(back->deviceLost);
  EXPECT_EQ(back->leftOut, (std::vector<std::string>{"heavy", "positive"}));
}

TEST(Verdict, NamesTheMemberThatIsBroken) {
  llvm::json::Value value = toJSON(example());
  (*value.getAsObject())["cause"] = 3;
  llvm::Expected<Verdict> verdict = verdictFromJSON(value);
  ASSERT_FALSE(bool(verdict));
  EXPECT_EQ(llvm::toString(verdict.takeError()),
            "verdict: 'cause' must be a string");
}

TEST(Verdict, EveryKindHasAName) {
  for (VerdictKind kind :
       {VerdictKind::Right, VerdictKind::Wrong, VerdictKind::Crash,
        VerdictKind::Hang, VerdictKind::Refused, VerdictKind::CompileError})
    EXPECT_EQ(parseVerdictKind(verdictName(kind)), kind);
  EXPECT_FALSE(parseVerdictKind("good"));
}

TEST(Numerics, UnknownClassListsTheKnown) {
  llvm::Expected<const NumericsClass *> found = findNumerics("fp8");
  ASSERT_FALSE(bool(found));
  EXPECT_NE(llvm::toString(found.takeError()).find("strict, fp32"),
            std::string::npos);
}
