// The policy as a pure function: ranking, history, unknown facts, reports.
#include "KernelSkill/Skills/Policy.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelskill;

namespace {
constexpr const char *kPrint = "0123456789abcdef";

struct PolicyTest : testing::Test {
  PolicyTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registerAllExtensions(registry);
    registry.insert<KernelSkillDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("policy", folder));
    base = createEmptyRecipe(&context, RecipeHeader());

    DispatchReport dispatch;
    dispatch.fingerprint = kPrint;
    dispatch.kind = DispatchKind::Reduction;
    dispatch.work.set(Feature::Kind, static_cast<double>(dispatch.kind));
    dispatch.work.set(Feature::BoundTime, 10);
    KernelReport kernel;
    kernel.name = "k";
    for (auto [feature, value] : {std::pair{Feature::EstimatedTime, 100.0},
                                  {Feature::DramTime, 10.0},
                                  {Feature::L2Time, 80.0},
                                  {Feature::LatencyTime, 98.0},
                                  {Feature::CoalescedFraction, 0.125},
                                  {Feature::Waves, 4.0},
                                  {Feature::Occupancy, 1.0}})
      kernel.features.set(feature, value);
    dispatch.kernels.push_back(kernel);
    report.chip = "sm_90a";
    report.dispatches.push_back(dispatch);
  }
  ~PolicyTest() override { llvm::sys::fs::remove_directories(folder); }

  /// Adds a skill of one knob to the folder, and to what applies.
  void skill(StringRef name, StringRef metadata) {
    std::string symbol = name.str();
    std::replace(symbol.begin(), symbol.end(), '-', '_');
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name + ".mlir");
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    os << llvm::formatv(R"(
module attributes {{transform.with_named_sequence} {{
  transform.named_sequence @match_{0}(%d: !transform.any_op {{transform.readonly}) {{
    transform.yield
  }
  transform.named_sequence @{0}(%d: !transform.any_op {{transform.readonly}) attributes {{
      kernelskill.skill = #kernelskill.skill<why = "w", cue = "c", source = "s", {1}>} {{
    %w = transform.tune.knob<"width"> options = [4, 2] -> !transform.param<i64>
    transform.annotate %d "{0}" = %w : !transform.any_op, !transform.param<i64>
    transform.yield
  }
})",
                        symbol, metadata);
    report.dispatches[0].skills[name.str()] = {
        "", {{{"width", "4"}}, {{"width", "2"}}}, ""};
  }

  Decision decide(const History &history = {}) {
    auto library = SkillLibrary::load(&context, {folder.str().str()});
    EXPECT_TRUE(succeeded(library));
    return plan(report, measurements, *library, *base, history);
  }
  std::string reasonAgainst(const Decision &decision, StringRef skill) {
    for (const Rejection &rejection : decision.rejections)
      if (rejection.skill == skill)
        return rejection.reason;
    return "";
  }

  MLIRContext context;
  llvm::SmallString<128> folder;
  AnalysisReport report;
  Measurements measurements;
  OwningOpRef<ModuleOp> base;
};
} // namespace

TEST_F(PolicyTest, RanksBottlenecksByTimeHeldBack) {
  auto diagnosis = diagnose(report, measurements).front();
  EXPECT_FALSE(diagnosis.measured);
  EXPECT_EQ(diagnosis.timeUs, 100.0);
  ASSERT_EQ(diagnosis.held.size(), 2u);
  EXPECT_EQ(diagnosis.held[0].bottleneck, Bottleneck::MemoryLatency);
  EXPECT_DOUBLE_EQ(diagnosis.held[0].us, 88); // 98 - 10
  EXPECT_EQ(diagnosis.held[1].bottleneck, Bottleneck::UncoalescedAccess);
  EXPECT_DOUBLE_EQ(diagnosis.held[1].us, 70); // 80 * 7/8
}

TEST_F(PolicyTest, MeasurementsScaleTheModelAndReplaceItsTerms) {
  measurements.programUs = 200;
  auto diagnosis = diagnose(report, measurements).front();
  EXPECT_TRUE(diagnosis.measured);
  EXPECT_EQ(diagnosis.timeUs, 200.0);
  EXPECT_DOUBLE_EQ(diagnosis.held[0].us, 186); // 2 * 98 - 10
  measurements.kernels["k"].set(Feature::LongScoreboardStall, 10);
  diagnosis = diagnose(report, measurements).front();
  EXPECT_EQ(diagnosis.held[0].bottleneck, Bottleneck::UncoalescedAccess);
  EXPECT_DOUBLE_EQ(diagnosis.held[1].us, 10); // 10 % of 200 - 10
}

TEST_F(PolicyTest, ChoosesTheGreatestGainAndBreaksTiesByName) {
  skill("b-latency",
        "stage = strategy, serves = [memory_latency], numerics = fp32");
  skill("a-latency",
        "stage = strategy, serves = [memory_latency], numerics = fp32");
  skill("access",
        "stage = strategy, serves = [uncoalesced_access], numerics = fp32");
  skill("barriers",
        "stage = strategy, serves = [synchronization], numerics = fp32");
  Decision decision = decide();
  ASSERT_EQ(decision.edits.size(), 3u);
  EXPECT_EQ(decision.edits[0].skill, "a-latency");
  EXPECT_EQ(decision.edits[1].skill, "b-latency");
  EXPECT_EQ(decision.edits[2].skill, "access");
  EXPECT_EQ(decision.edits[0].trials.size(), 2u);
  EXPECT_EQ(reasonAgainst(decision, "barriers"),
            "nothing that it serves (synchronization) holds the kernel back");
}

TEST_F(PolicyTest, UnknownGatesHalveConfidenceAndFailedOnesReject) {
  skill("counters",
        "stage = strategy, serves = [memory_latency], numerics = fp32, "
        "when = #kernelskill.gate<dram_throughput_pct, lt, 50>");
  skill("gated",
        "stage = strategy, serves = [memory_latency], numerics = fp32, "
        "when = #kernelskill.gate<coalesced_fraction, ge, 0.5>");
  skill("vetoed",
        "stage = strategy, serves = [memory_latency], numerics = fp32, "
        "veto = #kernelskill.gate<waves, eq, 4>");
  skill("unvetoed",
        "stage = strategy, serves = [memory_latency], numerics = fp32, "
        "veto = #kernelskill.gate<spill_bytes, gt, 0>");
  skill("lossy",
        "stage = strategy, serves = [memory_latency], numerics = tf32");
  skill("elsewhere", "stage = strategy, serves = [memory_latency], numerics = "
                     "fp32, chips = [\"sm_80\"]");
  Decision decision = decide();
  ASSERT_EQ(decision.edits.size(), 2u);
  EXPECT_EQ(decision.edits[0].skill, "unvetoed");
  EXPECT_EQ(decision.edits[1].skill, "counters");
  EXPECT_EQ(decision.edits[1].confidence, 0.5);
  EXPECT_EQ(reasonAgainst(decision, "gated"),
            "its gate fails: coalesced_fraction is 0.125, not ge 0.5");
  EXPECT_EQ(reasonAgainst(decision, "vetoed"),
            "is vetoed: #kernelskill.gate<waves, eq, 4> holds");
  EXPECT_EQ(reasonAgainst(decision, "lossy"),
            "needs the numerics class tf32, but only fp32 is allowed");
  EXPECT_EQ(reasonAgainst(decision, "elsewhere"), "does not run on sm_90a");
}

TEST_F(PolicyTest, NothingIsJudgedTwice) {
  skill("only", "stage = strategy, serves = [memory_latency], numerics = fp32");
  History history;
  Decision first = decide();
  history.judged.insert(first.edits[0].trials[0].hash);
  Decision second = decide(history);
  ASSERT_EQ(second.edits[0].trials.size(), 1u);
  EXPECT_EQ(second.edits[0].trials[0].knobs.at("width"), "2");
  history.judged.insert(second.edits[0].trials[0].hash);
  Decision third = decide(history);
  EXPECT_TRUE(third.edits.empty());
  EXPECT_EQ(reasonAgainst(third, "only"),
            "all its knob settings have been judged");
  EXPECT_EQ(third.summary,
            "no skill: all 1 pairs of skill and dispatch are ruled out");
}

TEST_F(PolicyTest, FailuresExclusionsAndPlaces) {
  skill("first",
        "stage = strategy, serves = [memory_latency], numerics = fp32");
  skill("other",
        "stage = strategy, serves = [memory_latency], numerics = fp32");
  skill("excluding", "stage = refine, serves = [memory_latency], numerics = "
                     "fp32, excludes = [\"first\"]");
  skill("needing", "stage = refine, serves = [memory_latency], numerics = "
                   "fp32, needs = [\"other\"]");
  auto library = SkillLibrary::load(&context, {folder.str().str()});
  ASSERT_TRUE(succeeded(library));
  auto added = addStep(*base, library->find("first")->action, "first",
                       Stage::Strategy, kPrint, {});
  ASSERT_TRUE(succeeded(added));
  base = std::move(*added);
  History history;
  history.failedOnBase[{"other", kPrint}] = "wrong at element 3";
  Decision decision = decide(history);
  // What is there can only be tuned, and that counts half.
  ASSERT_EQ(decision.edits.size(), 1u);
  EXPECT_EQ(decision.edits[0].kind, PlannedEdit::Kind::SetKnobs);
  EXPECT_EQ(decision.edits[0].confidence, 0.5);
  ASSERT_EQ(decision.edits[0].trials.size(), 1u);
  EXPECT_EQ(reasonAgainst(decision, "other"),
            "failed on this base: wrong at element 3");
  EXPECT_EQ(reasonAgainst(decision, "excluding"),
            "is excluded by 'first', which is applied");
  EXPECT_EQ(reasonAgainst(decision, "needing"),
            "needs a skill that is not applied");
  Decision replacing = decide();
  EXPECT_EQ(replacing.edits[0].skill, "other");
  EXPECT_EQ(replacing.edits[0].kind, PlannedEdit::Kind::ReplaceStep);
}

TEST_F(PolicyTest, NearItsBoundADispatchIsLeftAlone) {
  skill("only", "stage = strategy, serves = [memory_latency], numerics = fp32");
  measurements.programUs = 10.4;
  EXPECT_EQ(reasonAgainst(decide(), "only"),
            "the kernel takes 10.4 us, within 5 % of its bound of 10 us");
}

TEST_F(PolicyTest, ReportsReadBackAsTheyWereWritten) {
  skill("only", "stage = strategy, serves = [memory_latency], numerics = fp32");
  report.dispatches[0].skills["gone"] = {"no match", {}, "refused"};
  std::string text = llvm::formatv("{0:2}", llvm::json::Value(report.toJson()));
  auto parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed));
  auto again = AnalysisReport::fromJson(*parsed);
  ASSERT_TRUE(static_cast<bool>(again));
  EXPECT_EQ(llvm::formatv("{0:2}", llvm::json::Value(again->toJson())).str(),
            text);
  llvm::json::Object broken = report.toJson();
  broken.erase("chip");
  auto failed = AnalysisReport::fromJson(std::move(broken));
  EXPECT_EQ(llvm::toString(failed.takeError()),
            "the analysis report has no valid version, chip or list of "
            "dispatches; build the candidate anew");
}

TEST_F(PolicyTest, ComparesExpectationsWithWhatHappened) {
  skill("a-latency",
        "stage = strategy, serves = [memory_latency], numerics = fp32, "
        "expects = [#kernelskill.expect<coalesced_fraction, up>, "
        "#kernelskill.expect<waves, up>, #kernelskill.expect<barriers, down>, "
        "#kernelskill.expect<time_us, down>]");
  auto library = SkillLibrary::load(&context, {folder.str().str()});
  ASSERT_TRUE(succeeded(library));
  DispatchReport after = report.dispatches[0];
  after.kernels[0].features.set(Feature::CoalescedFraction, 1.0);
  after.kernels[0].features.set(Feature::Waves, 3.0);
  after.kernels[0].features.set(Feature::EstimatedTime, 50.0);
  auto outcomes = compareExpectations(*library->find("a-latency"),
                                      report.dispatches[0], after);
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_EQ(outcomes[0].met(), true);
  EXPECT_EQ(outcomes[1].met(), false);         // 4 waves became 3
  EXPECT_FALSE(outcomes[2].met().has_value()); // nobody counted barriers
  EXPECT_EQ(outcomes[3].met(), true);
  EXPECT_TRUE(outcomes[3].estimate); // for want of a measurement
  EXPECT_FALSE(outcomes[0].estimate);
}
