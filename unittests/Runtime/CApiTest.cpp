// The C interface, on the CPU device.
#include "KernelSkill/Runtime/CApi.h"
#include "CpuKernels.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelskill;

namespace {
/// b[i] = 2 a[i], and a[i] becomes 0.
const char *const doubling = R"(
define void @k(ptr %t, ptr %args) {
  %tid = call i32 @tid(ptr %t)
  %pa = call ptr @element(ptr %args, i32 0, i32 %tid)
  %a = load float, ptr %pa
  store float 0.0, ptr %pa
  %s = fadd float %a, %a
  %pb = call ptr @element(ptr %args, i32 1, i32 %tid)
  call void @ks_cpu_store(ptr %t, ptr %pb, i32 4, i32 0)
  store float %s, ptr %pb
  ret void
})";

class CApi : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("program", "ksp", path));
    Program program =
        kernelProgram(doubling, {4, 4}, {1, 1, 1}, {4, 1, 1}, 0, false);
    program.buffers[0].written = true;
    program.buffers[0].shape = {2, 2};
    cantFail(writeProgram(program, path));
    // A thread too many: out of bounds.
    program.steps[0].block[0] = 5;
    wrong = (path + ".wrong").str();
    cantFail(writeProgram(program, wrong));
  }
  void TearDown() override {
    sys::fs::remove(path);
    sys::fs::remove(wrong);
  }
  SmallString<128> path;
  std::string wrong;
};

TEST_F(CApi, DescribesAndRuns) {
  KsProgram *program = ks_program_load(path.c_str(), "cpu");
  ASSERT_NE(program, nullptr) << ks_last_error();
  ASSERT_EQ(ks_program_argument_count(program), 1u);
  ASSERT_EQ(ks_program_result_count(program), 1u);
  KsBuffer buffer;
  ASSERT_EQ(ks_program_argument(program, 0, &buffer), 0);
  EXPECT_STREQ(buffer.name, "a");
  EXPECT_STREQ(buffer.type, "f32");
  ASSERT_EQ(buffer.rank, 2u);
  EXPECT_EQ(buffer.shape[1], 2);
  EXPECT_EQ(buffer.bytes, 16u);
  EXPECT_EQ(buffer.written, 1);
  ASSERT_EQ(ks_program_result(program, 0, &buffer), 0);
  EXPECT_STREQ(buffer.name, "b");
  EXPECT_EQ(ks_program_result(program, 1, &buffer), -1);
  EXPECT_STREQ(ks_last_error(), "no result 1: the program has 1");

  for (float start : {1.0f, 5.0f}) {
    float a[] = {start, 2, 3, 4}, b[4];
    void *arguments[] = {a}, *results[] = {b};
    ASSERT_EQ(ks_program_run(program, arguments, results, KS_HOST_POINTERS), 0)
        << ks_last_error();
    EXPECT_STREQ(ks_last_error(), "");
    EXPECT_EQ(b[0], 2 * start);
    EXPECT_EQ(b[3], 8.0f);
    EXPECT_EQ(a[2], 0.0f);
  }
  ks_program_free(program);
}

TEST_F(CApi, FailuresSayWhy) {
  std::string missing = (path + ".none").str();
  EXPECT_EQ(ks_program_load(missing.c_str(), "cpu"), nullptr);
  EXPECT_NE(StringRef(ks_last_error()).find(missing), StringRef::npos);
  EXPECT_EQ(ks_program_load(path.c_str(), "tpu"), nullptr);
  EXPECT_NE(StringRef(ks_last_error()).find("unknown device 'tpu'"),
            StringRef::npos);
  EXPECT_EQ(ks_program_load(nullptr, "cpu"), nullptr);

  KsProgram *program = ks_program_load(wrong.c_str(), "cpu");
  ASSERT_NE(program, nullptr) << ks_last_error();
  float a[4] = {}, b[4];
  void *arguments[] = {a}, *results[] = {b}, *none[] = {nullptr};
  EXPECT_EQ(ks_program_run(program, arguments, results, KS_HOST_POINTERS), -1);
  EXPECT_NE(StringRef(ks_last_error()).find("out of bounds in kernel 'k'"),
            StringRef::npos)
      << ks_last_error();
  EXPECT_EQ(ks_program_run(program, none, results, KS_HOST_POINTERS), -1);
  EXPECT_STREQ(ks_last_error(), "argument 0 ('a') is null");
  EXPECT_EQ(ks_program_run(program, arguments, nullptr, KS_HOST_POINTERS), -1);
  EXPECT_STREQ(ks_last_error(), "result 0 ('b') is null");
  EXPECT_EQ(ks_program_run(program, arguments, results, 7), -1);
  // Host memory is no device memory.
  EXPECT_EQ(ks_program_run(program, arguments, results, KS_DEVICE_POINTERS),
            -1);
  EXPECT_NE(StringRef(ks_last_error()).find("no live address"),
            StringRef::npos);
  EXPECT_EQ(ks_program_run(nullptr, arguments, results, KS_HOST_POINTERS), -1);
  ks_program_free(program);
  ks_program_free(nullptr);
}
} // namespace
