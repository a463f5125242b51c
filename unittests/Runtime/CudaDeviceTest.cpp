// The CUDA device on a real GPU, with hand-written PTX; skipped without one.
#include "KernelSkill/Runtime/Device.h"

#include <gtest/gtest.h>

using namespace kernelskill;

namespace {

// add: c[i] = a[i] + b[i] for i < n. hang: never returns. wild: writes to 64.
// past: writes one element past c.
constexpr char kPtx[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %d<8>;
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r1, %r4;
  @%p ret;
  mul.wide.u32 %d1, %r1, 4;
  ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; ld.param.u64 %d4, [c];
  add.s64 %d2, %d2, %d1; add.s64 %d3, %d3, %d1; add.s64 %d4, %d4, %d1;
  ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d3];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%d4], %f3;
  ret;
}
.visible .entry hang(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d; .reg .b32 %r; .reg .pred %p;
  ld.param.u64 %d, [a];
loop:
  ld.volatile.global.u32 %r, [%d];
  setp.ne.u32 %p, %r, 123456789;
  @%p bra loop;
  ret;
}
.visible .entry wild(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d;
  mov.u64 %d, 64;
  st.global.u32 [%d], 1;
  ret;
}
.visible .entry past(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .b64 %d<4>; .reg .b32 %r;
  ld.param.u64 %d1, [c]; ld.param.u32 %r, [n];
  mul.wide.u32 %d2, %r, 4;
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r;
  ret;
}
)";

constexpr uint32_t kCount = 1 << 20;

Program makeProgram(const char *kernel) {
  Program program;
  for (const char *name : {"a", "b", "c"}) {
    BufferRecord buffer;
    buffer.name = name;
    buffer.kind = name[0] == 'c' ? BufferKind::Result : BufferKind::Argument;
    buffer.shape = {kCount};
    program.buffers.push_back(buffer);
  }
  KernelRecord record;
  record.name = kernel;
  program.kernels.push_back(record);
  StepRecord step;
  step.grid = {kCount / 256, 1, 1};
  step.block = {256, 1, 1};
  for (int buffer : {0, 1, 2}) {
    LaunchArgument argument;
    argument.buffer = buffer;
    step.arguments.push_back(argument);
  }
  LaunchArgument count;
  count.bits = kCount;
  count.size = 4;
  step.arguments.push_back(count);
  program.steps.push_back(step);
  program.images.push_back({ImageRecord::Kind::Ptx, "sm_80", kPtx});
  return program;
}

class CudaDeviceTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto opened = openDevice("cuda:0");
    if (!opened) {
      std::string reason = llvm::toString(opened.takeError());
      GTEST_SKIP() << reason;
    }
    device = std::move(*opened);
    for (DeviceAddress &buffer : buffers)
      buffer = llvm::cantFail(device->allocate(kCount * 4));
    std::vector<float> values(kCount);
    for (uint32_t i = 0; i < kCount; ++i)
      values[i] = i;
    for (int i : {0, 1})
      ASSERT_FALSE(
          bool(device->copyToDevice(buffers[i], values.data(), kCount * 4)));
  }

  llvm::Error run(const char *kernel) {
    auto loaded = device->load(makeProgram(kernel));
    if (!loaded)
      return loaded.takeError();
    return (*loaded)->run({buffers[0], buffers[1]}, {buffers[2]});
  }

  FaultKind faultOf(llvm::Error error) {
    FaultKind kind = FaultKind::None;
    llvm::handleAllErrors(
        std::move(error), [&](const DeviceFault &fault) { kind = fault.kind; },
        [&](const llvm::ErrorInfoBase &) { kind = FaultKind::Other; });
    return kind;
  }

  std::unique_ptr<Device> device;
  DeviceAddress buffers[3] = {};
};

TEST_F(CudaDeviceTest, RunsAndTimes) {
  ASSERT_FALSE(bool(run("add")));
  std::vector<float> sums(kCount);
  ASSERT_FALSE(
      bool(device->copyFromDevice(sums.data(), buffers[2], kCount * 4)));
  for (uint32_t i = 0; i < kCount; ++i)
    ASSERT_EQ(sums[i], 2.0f * i);
  ASSERT_FALSE(bool(device->checkGuards()));

  auto loaded = llvm::cantFail(device->load(makeProgram("add")));
  DeviceAddress arguments[] = {buffers[0], buffers[1]},
                results[] = {buffers[2]};
  Device::TimedRun timed = {loaded.get(), arguments, results};
  auto samples = llvm::cantFail(device->time({timed, timed}, 10, 1.0));
  ASSERT_EQ(samples.size(), 2u);
  for (const TimeSample &sample : samples) {
    ASSERT_GE(sample.milliseconds.size(), 3u);
    for (double milliseconds : sample.milliseconds)
      EXPECT_GT(milliseconds, 0.0);
  }
  double bandwidth = llvm::cantFail(device->copyBandwidth(256 << 20));
  EXPECT_GT(bandwidth, 1e10);

  auto values = device->counters(
      timed, {"smsp__inst_executed.sum",
              "sm__warps_active.avg.pct_of_peak_sustained_active"});
  if (!values) { // a machine may refuse counters, but must say why
    std::string reason = llvm::toString(values.takeError());
    EXPECT_NE(reason.find("no hardware counters"), std::string::npos) << reason;
  } else {
    ASSERT_EQ(values->size(), 1u);
    EXPECT_GT((*values)[0]["smsp__inst_executed.sum"], 1e5);
  }
}

TEST_F(CudaDeviceTest, FindsAWritePastTheEnd) {
  ASSERT_FALSE(bool(run("past")));
  EXPECT_EQ(faultOf(device->checkGuards()), FaultKind::OutOfBounds);
}

// A fault poisons the CUDA context of the process: lit runs these two with a
// filter, each in a process of its own (test/Runtime/cuda.test).
TEST_F(CudaDeviceTest, ReportsAWildWrite) {
  EXPECT_EQ(faultOf(run("wild")), FaultKind::IllegalAccess);
}

TEST_F(CudaDeviceTest, CutsAHang) {
  device->setTimeLimit(0.5);
  EXPECT_EQ(faultOf(run("hang")), FaultKind::Timeout);
  EXPECT_TRUE(bool(device->allocate(16).takeError()));
  // The driver's own exit handler would wait for the kernel.
  std::_Exit(HasFailure());
}

} // namespace
