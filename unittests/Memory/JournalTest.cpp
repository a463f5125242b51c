// The journal's round trip, its tolerance of a cut end and its errors.
#include "KernelSkill/Memory/Journal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <unistd.h>

using namespace llvm;
using namespace kernelskill;

namespace {
class JournalTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("journal", folder));
    path = (folder + "/journal.jsonl").str();
  }
  void TearDown() override { sys::fs::remove_directories(folder); }

  /// A journal of a seed, one edit and one round.
  void writeSample() {
    JournalHeader header;
    header.producer = "kernelskill 0.1.0";
    header.payloadHash = "aa";
    header.chip = "sm_90a";
    header.device = "cpu";
    header.numerics = "fp32";
    header.options["rounds"] = 15;
    auto writer = JournalWriter::create(path, header);
    ASSERT_TRUE(bool(writer)) << toString(writer.takeError());
    CandidateRecord seed;
    seed.hash = "s";
    seed.verdict = Outcome::Right;
    seed.milliseconds = JournalInterval{2, 1, 3};
    seed.estimate = true;
    seed.launches = "replayed as a CUDA graph";
    seed.recipe = "module {\n}\n";
    ASSERT_FALSE(bool(writer->append(toJson(seed))));
    CandidateRecord edit;
    edit.hash = "e";
    edit.parent = "s";
    edit.round = 1;
    edit.skill = "vectorize";
    edit.knobs["width"] = "4";
    edit.verdict = Outcome::Wrong;
    edit.reason = "element 3";
    ASSERT_FALSE(bool(writer->append(toJson(edit))));
    RoundRecord round;
    round.round = 1;
    round.base = round.best = "s";
    ASSERT_FALSE(bool(writer->append(toJson(round))));
  }
  std::string text() {
    return (*MemoryBuffer::getFile(path))->getBuffer().str();
  }
  void replaceFile(StringRef text) {
    std::error_code error;
    raw_fd_ostream(path, error) << text;
  }
  /// The error of reading, "" if there is none.
  std::string readError() {
    auto contents = readJournal(path);
    return contents ? "" : toString(contents.takeError());
  }

  SmallString<128> folder;
  std::string path;
};
} // namespace

TEST_F(JournalTest, aRightCandidateWithoutATimeIsTheBestOnlyIfNoneHasOne) {
  JournalContents contents;
  CandidateRecord timeless, timed, wrong;
  timeless.verdict = timed.verdict = Outcome::Right;
  timed.milliseconds = JournalInterval{2, 2, 2};
  wrong.verdict = Outcome::Wrong;
  contents.candidates = {wrong};
  EXPECT_EQ(contents.best(), nullptr);
  contents.candidates = {wrong, timeless, timeless};
  EXPECT_EQ(contents.best(), &contents.candidates[1]);
  contents.candidates = {timeless, wrong, timed};
  EXPECT_EQ(contents.best(), &contents.candidates[2]);
}

TEST_F(JournalTest, comesBackAsWritten) {
  writeSample();
  auto contents = readJournal(path);
  ASSERT_TRUE(bool(contents)) << toString(contents.takeError());
  EXPECT_EQ(contents->header.chip, "sm_90a");
  ASSERT_EQ(contents->candidates.size(), 2u);
  const CandidateRecord *seed = contents->find("s");
  ASSERT_TRUE(seed && seed->milliseconds);
  EXPECT_EQ(seed->milliseconds->high, 3);
  EXPECT_EQ(seed->recipe, "module {\n}\n");
  EXPECT_TRUE(seed->estimate);
  EXPECT_EQ(seed->launches, "replayed as a CUDA graph");
  const CandidateRecord *edit = contents->find("e");
  ASSERT_TRUE(edit);
  EXPECT_FALSE(edit->milliseconds.has_value());
  EXPECT_FALSE(edit->launches.has_value());
  EXPECT_EQ(edit->verdict, Outcome::Wrong);
  EXPECT_EQ(edit->knobs.at("width"), "4");
  EXPECT_EQ(contents->rounds.size(), 1u);
  EXPECT_EQ(contents->best(), seed);
  EXPECT_FALSE(contents->droppedLastLine);
}

TEST_F(JournalTest, toleratesACutLastLineAndGoesOnBeforeIt) {
  writeSample();
  std::string whole = text();
  for (size_t cut : {1u, 10u, 100u}) {
    replaceFile(StringRef(whole).drop_back(cut));
    auto contents = readJournal(path);
    ASSERT_TRUE(bool(contents)) << toString(contents.takeError());
    EXPECT_TRUE(contents->droppedLastLine);
    EXPECT_EQ(contents->rounds.size(), 0u);
    auto writer = JournalWriter::resume(path, *contents);
    ASSERT_TRUE(bool(writer)) << toString(writer.takeError());
    RoundRecord round;
    round.round = 1;
    round.base = round.best = "s";
    ASSERT_FALSE(bool(writer->append(toJson(round))));
    EXPECT_EQ(text(), whole);
  }
}

TEST_F(JournalTest, namesTheDamagedLine) {
  writeSample();
  std::string damaged = text();
  damaged[damaged.find('\n') + 5] = '{';
  replaceFile(damaged);
  std::string message = readError();
  EXPECT_NE(message.find("journal.jsonl:2: "), std::string::npos) << message;
}

TEST_F(JournalTest, namesTheMissingField) {
  writeSample();
  std::string damaged = text();
  damaged.replace(damaged.find("\"verdict\""), 9, "\"verdikt\"");
  replaceFile(damaged);
  EXPECT_NE(readError().find("field 'verdict' is missing"), std::string::npos)
      << readError();
}

TEST_F(JournalTest, refusesAnotherVersion) {
  writeSample();
  std::string other = text();
  other.replace(other.find("\"version\":2"), 11, "\"version\":9");
  replaceFile(other);
  EXPECT_NE(readError().find("version 9"), std::string::npos) << readError();
}

TEST_F(JournalTest, refusesAnEmptyAndAForeignFile) {
  replaceFile("");
  EXPECT_NE(readError().find("no header"), std::string::npos);
  replaceFile("{\"a\": 1}\n");
  EXPECT_NE(readError().find("no journal of kernelskill"), std::string::npos);
}

TEST_F(JournalTest, refusesARoundWithoutItsCandidate) {
  writeSample();
  std::string damaged = text();
  size_t at = damaged.rfind("\"best\":\"s\"");
  damaged.replace(at, 10, "\"best\":\"z\"");
  replaceFile(damaged);
  EXPECT_NE(readError().find("names candidate z"), std::string::npos)
      << readError();
}

TEST_F(JournalTest, saysWhatDiffersFromTheRunThatWasAsked) {
  JournalHeader found, asked;
  found.chip = "sm_90a";
  asked.chip = "sm_80";
  std::string message = toString(checkJournalMatches(found, asked, "J"));
  EXPECT_NE(message.find("chip 'sm_90a', asked is 'sm_80'"), std::string::npos)
      << message;
  asked.chip = "sm_90a";
  EXPECT_FALSE(bool(checkJournalMatches(found, asked, "J")));
}

TEST_F(JournalTest, neverOverwrites) {
  writeSample();
  auto writer = JournalWriter::create(path, JournalHeader());
  ASSERT_FALSE(bool(writer));
  consumeError(writer.takeError());
}

TEST_F(JournalTest, plansResultAndWhatWasSpentComeBack) {
  writeSample();
  auto contents = readJournal(path);
  ASSERT_TRUE(bool(contents)) << toString(contents.takeError());
  auto writer = JournalWriter::resume(path, *contents);
  ASSERT_TRUE(bool(writer)) << toString(writer.takeError());
  PlanRecord plan;
  plan.round = 2;
  plan.base = "s";
  plan.edit = "set-knobs";
  plan.step = 3;
  plan.gain = 1.5;
  plan.trials.push_back({{{"width", "2"}}, "f"});
  ASSERT_FALSE(bool(writer->append(toJson(plan), 12.5)));
  ResultRecord result;
  result.best = "s";
  result.contenders = 2;
  result.speedup = JournalInterval{2, 1.5, 2.5};
  ASSERT_FALSE(bool(writer->append(toJson(result), 13)));
  contents = readJournal(path);
  ASSERT_TRUE(bool(contents)) << toString(contents.takeError());
  const PlanRecord *found = contents->plan(2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->edit, "set-knobs");
  EXPECT_EQ(found->step, 3);
  ASSERT_EQ(found->trials.size(), 1u);
  EXPECT_EQ(found->trials[0].knobs.at("width"), "2");
  EXPECT_EQ(found->trials[0].hash, "f");
  EXPECT_EQ(contents->plan(1), nullptr);
  ASSERT_TRUE(contents->result);
  EXPECT_EQ(contents->result->speedup->high, 2.5);
  EXPECT_FALSE(contents->result->milliseconds);
  EXPECT_EQ(contents->spentSeconds, 13);
}

TEST_F(JournalTest, whatIsNotFiniteIsNotWritten) {
  double infinite = std::numeric_limits<double>::infinity();
  CandidateRecord record;
  record.hash = "s";
  record.milliseconds = JournalInterval{infinite, 1, infinite};
  record.speedup = JournalInterval{1, std::nan(""), 1};
  record.expected = infinite;
  json::Object object = toJson(record);
  EXPECT_FALSE(object.get("milliseconds"));
  EXPECT_FALSE(object.get("speedup"));
  std::string text = formatv("{0}", json::Value(std::move(object)));
  auto parsed = json::parse(text);
  EXPECT_TRUE(bool(parsed)) << toString(parsed.takeError());
}

TEST_F(JournalTest, aLineOfBracketsIsAnError) {
  writeSample();
  replaceFile(text() + std::string(1000000, '[') + "\n");
  EXPECT_NE(readError().find("nested too deeply"), std::string::npos)
      << readError();
}

TEST_F(JournalTest, aFolderIsForOneRun) {
  std::optional<FolderLock> first;
  {
    auto lock = FolderLock::take(folder);
    ASSERT_TRUE(bool(lock)) << toString(lock.takeError());
    first.emplace(std::move(*lock));
  }
  auto second = FolderLock::take(folder);
  ASSERT_FALSE(bool(second));
  std::string message = toString(second.takeError());
  EXPECT_NE(message.find("another run is at work"), std::string::npos);
  EXPECT_NE(message.find(formatv("process {0}", getpid()).str()),
            std::string::npos)
      << message;
  first.reset();
  second = FolderLock::take(folder);
  EXPECT_TRUE(bool(second)) << toString(second.takeError());
}
