// How builds end: each way that a child may die becomes a verdict with its
// stage. The child here is a shell script in the place of kernelskill.
#include "../../lib/Driver/BuildJob.h"
#include "../../lib/Driver/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {
class BuildJobTest : public testing::Test {
protected:
  /// Runs a build whose child is this script; $out is its folder.
  BuildOutcome build(StringRef script, double seconds = 30) {
    auto scratch = ScratchFolder::make();
    EXPECT_TRUE(bool(scratch));
    BuildSettings settings;
    settings.executable = joinPath(scratch->path(), "tool");
    settings.seconds = seconds;
    // The folder follows -o.
    std::string text = ("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && "
                        "out=$2; shift; done\n" +
                        script + "\n")
                           .str();
    EXPECT_FALSE(bool(writeFile(settings.executable, text)));
    EXPECT_FALSE(
        bool(sys::fs::setPermissions(settings.executable, sys::fs::all_all)));
    auto job = BuildJob::candidate(settings, "",
                                   joinPath(scratch->path(), "candidate"));
    EXPECT_TRUE(bool(job));
    return job->wait();
  }
};
} // namespace

TEST_F(BuildJobTest, aProgramIsThere) {
  BuildOutcome outcome =
      build("echo '{\"verdict\": \"right\", \"exit_code\": 0}' "
            ">$out/result.json");
  EXPECT_TRUE(outcome.ok());
}

TEST_F(BuildJobTest, whatTheChildSaysOfItsFailure) {
  BuildOutcome outcome =
      build("echo dispatch >$out/stage; echo '{\"verdict\": \"refused\", "
            "\"exit_code\": 1, \"reason\": \"no target\"}' >$out/result.json; "
            "exit 1");
  EXPECT_EQ(outcome.verdict, Outcome::Refused);
  EXPECT_EQ(outcome.code, ExitCode::Input);
  EXPECT_EQ(outcome.stage, "dispatch");
  EXPECT_EQ(outcome.reason, "no target");
}

TEST_F(BuildJobTest, aCrashNamesItsStage) {
  BuildOutcome outcome =
      build("echo lower >$out/stage; echo last words >&2; kill -SEGV $$");
  EXPECT_EQ(outcome.verdict, Outcome::Crash);
  EXPECT_EQ(outcome.stage, "lower");
  EXPECT_NE(outcome.reason.find("Segmentation fault"), std::string::npos)
      << outcome.reason;
  EXPECT_NE(outcome.reason.find("last words"), std::string::npos);
}

TEST_F(BuildJobTest, aHangIsCut) {
  BuildOutcome outcome = build("echo kernel >$out/stage; sleep 100", 0.3);
  EXPECT_EQ(outcome.verdict, Outcome::Hang);
  EXPECT_EQ(outcome.stage, "kernel");
}

TEST_F(BuildJobTest, silenceIsACrash) {
  BuildOutcome outcome = build("exit 3");
  EXPECT_EQ(outcome.verdict, Outcome::Crash);
  EXPECT_NE(outcome.reason.find("code 3"), std::string::npos);
}
