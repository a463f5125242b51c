// The judge's self-test, on the CPU device and, where there is one, on a GPU.
#include "KernelSkill/Verify/SelfTest.h"

#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <set>

using namespace kernelskill;

TEST(SelfTest, RejectsWrongAndAcceptsRightKernels) {
  llvm::Expected<std::unique_ptr<Device>> device = openDevice("cpu");
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  llvm::Expected<SelfTestReport> report =
      runSelfTest(**device, LoweringOptions());
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  printSelfTest(*report, llvm::outs());
  unsigned right = 0, wrong = 0;
  std::set<std::string> classes;
  for (const SelfTestRow &row : report->rows) {
    EXPECT_TRUE(row.passed())
        << row.name << ": " << row.verdict.cause << ": " << row.verdict.message;
    (row.mustBeRight ? right : wrong) += 1;
    EXPECT_EQ(row.exploit.empty(), row.mustBeRight) << row.name;
    classes.insert(row.exploit);
  }
  // All kernels are judged on the CPU device, in at least 25 classes.
  EXPECT_TRUE(report->leftOut.empty());
  EXPECT_GE(classes.size(), 25u);
  EXPECT_GE(right, 15u);
  EXPECT_GE(wrong, 40u);
  EXPECT_TRUE(report->passed());

  auto causeOf = [&](llvm::StringRef name) -> std::string {
    for (const SelfTestRow &row : report->rows)
      if (row.name == name)
        return row.verdict.cause;
    return "no such kernel";
  };
  EXPECT_EQ(causeOf("zeros"), "zeros");
  EXPECT_EQ(causeOf("constants"), "constant");
  EXPECT_EQ(causeOf("stale output"), "unwritten output");
  EXPECT_EQ(causeOf("one wrong element"), "single element");
  EXPECT_EQ(causeOf("missing tail"), "tail missing");
  EXPECT_EQ(causeOf("one NaN"), "nan");
  EXPECT_EQ(causeOf("edited input"), "edited input");
  EXPECT_EQ(causeOf("write past the end"), "out of bounds");
  EXPECT_EQ(causeOf("half precision inside"), "low precision");
  EXPECT_EQ(causeOf("cached result"), "cached result");
}

TEST(SelfTest, PassesOnAGpu) {
  llvm::Expected<std::unique_ptr<Device>> device = openDevice("cuda:0");
  if (!device)
    GTEST_SKIP() << llvm::toString(device.takeError());
  LoweringOptions options;
  // The driver assembles the PTX; ptxas need not be on this machine.
  options.cubin = false;
  llvm::Expected<SelfTestReport> report = runSelfTest(**device, options);
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  printSelfTest(*report, llvm::outs());
  for (const SelfTestRow &row : report->rows)
    EXPECT_TRUE(row.passed())
        << row.name << ": " << row.verdict.cause << ": " << row.verdict.message;
  EXPECT_TRUE(report->passed());
}
